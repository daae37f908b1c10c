import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mount } from '../../shared/api/mounts.ts'
import { GOOD_PASSWORD, type Manager, manager, newcomer, perm, send } from '../api/accounts.ts'
import { json, signIn } from '../api/client.ts'
import { type OwnServer, uniqueName } from '../api/harness.ts'
import { App } from './app.ts'
import { expectAccessibleInBoth, expectFineOnAPhoneAndInArabic } from './axe.ts'
import { ANONYMOUS, becomeOther, expect, test } from './fixtures.ts'

const home = mkdtempSync(join(tmpdir(), 'own-mounts-'))
for (const folder of ['team', 'media']) {
  mkdirSync(join(home, 'disk', folder, 'sub'), { recursive: true })
  writeFileSync(join(home, 'disk', folder, 'plan.txt'), 'a plan')
}
const config = join(home, 'roots.json')
writeFileSync(config, JSON.stringify({ roots: { disk: join(home, 'disk') } }))

test.use({ serverArgs: ['--config', config], storageState: ANONYMOUS })
// Playwright may run `afterAll` between two tests of this file, which need the folder.
process.once('exit', () => rmSync(home, { recursive: true, force: true }))

const EDIT = ['download', 'create', 'rename', 'modify', 'delete']

async function give(
  server: OwnServer,
  admin: Manager,
  user: number,
  of: { name: string; rights: string[]; folder?: string },
) {
  const folder = of.folder ?? `/${of.name.toLowerCase()}`
  const made = await send(server, 'POST', '/api/mounts', admin.token, { name: of.name, root: 'disk', folder })
  const { id }: Mount = json(made)
  await send(server, 'PUT', `/api/mounts/${id}/access/user/${user}`, admin.token, { rights: of.rights })
  return id
}

test('ROOT-01 mounts are in the sidebar, and offer what is allowed there', async ({ page, server }) => {
  const admin = await manager(server)
  const scope = `/${uniqueName('mia')}`
  mkdirSync(join(server.root, scope, 'docs'), { recursive: true })
  const mia = await newcomer(server, admin, {
    scope,
    perm: perm('create', 'download', 'modify', 'delete', 'rename', 'share'),
  })
  const media = await give(server, admin, mia.id, { name: 'Media', rights: EDIT })
  await send(server, 'PUT', `/api/mounts/${media}`, admin.token, { name: 'Media', readOnly: true })
  await give(server, admin, mia.id, { name: 'Team', rights: EDIT })
  const app = new App(page, server.url)
  await becomeOther(page, mia.token)
  await app.open('/files/')
  const sidebar = page.getByRole('navigation', { name: 'Main navigation' })
  await expect(sidebar.getByRole('list').getByRole('link', { name: 'Team', exact: true })).toBeVisible()
  await app.row('Team').click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Copy to' })).toBeVisible()
  for (const name of ['Rename', 'Delete', 'Share', 'Move to'])
    await expect(page.getByRole('menuitem', { name, exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await sidebar.getByRole('list').getByRole('link', { name: 'Media', exact: true }).click()
  await expect(app.row('plan.txt')).toBeVisible()
  await expect(app.button('New')).toHaveCount(0)
  await app.row('plan.txt').click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Download' })).toBeVisible()
  for (const name of ['Rename', 'Delete', 'Share', 'Move to', 'Cut'])
    await expect(page.getByRole('menuitem', { name, exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expectAccessibleInBoth(page)
  await app.row('plan.txt').dblclick()
  await expect(page.getByText('a plan')).toBeVisible()
  await expect(app.button('Download')).toBeVisible()
  await expect(app.button('Edit')).toHaveCount(0)

  await app.open('/search?q=plan')
  const hit = page.getByRole('row').filter({ hasText: 'plan.txt' })
  await expect(hit).toHaveCount(2)
  await hit.filter({ hasText: 'Media' }).click()
  await expect(app.button('Download')).toBeVisible()
  await expect(app.button('Delete')).toHaveCount(0)
  await hit.filter({ hasText: 'Team' }).click()
  await expect(app.button('Delete')).toBeVisible()

  await app.open('/files/Team/')
  await expect(app.row('plan.txt')).toBeVisible()
  await expect(sidebar.getByRole('list').getByRole('link', { name: 'Team', exact: true })).toHaveAttribute(
    'aria-current',
    'true',
  )
  await expect(app.button('New')).toBeVisible()
  await writeFile(join(home, 'disk/team/arrived.txt'), 'by another program')
  await expect(app.row('arrived.txt')).toBeVisible()
  await app.row('arrived.txt').click()
  await page.keyboard.press('Delete')
  await expect(app.row('arrived.txt')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(app.row('arrived.txt')).toBeVisible()
  await app.row('arrived.txt').click()
  await page.keyboard.press('Delete')
  await expect(app.row('arrived.txt')).toHaveCount(0)
  await app.open('/trash')
  await expect(page.getByRole('row').filter({ hasText: 'arrived.txt' })).toContainText('Team')
  await expectAccessibleInBoth(page)
  await app.open('/files/Team/')

  await send(server, 'DELETE', `/api/mounts/${media}`, admin.token)
  await app.open('/files/')
  await expect(sidebar.getByRole('list').getByRole('link', { name: 'Team', exact: true })).toBeVisible()
  await expect(app.row('Media')).toHaveCount(0)
  await expectFineOnAPhoneAndInArabic(app, await signIn(server, mia.name, GOOD_PASSWORD))
})

test('ROOT-09 the details explain what is allowed in a mount, and who gave it', async ({ page, server }) => {
  const admin = await manager(server)
  const scope = `/${uniqueName('mia')}`
  mkdirSync(join(server.root, scope), { recursive: true })
  const mia = await newcomer(server, admin, { scope, perm: perm('create', 'download', 'delete') })
  const mount = await give(server, admin, mia.id, { name: 'Crew', rights: ['download'], folder: '/' })
  const app = new App(page, server.url)
  await becomeOther(page, mia.token)
  await app.open('/files/Crew/team/')
  await app.row('plan.txt').click()
  await page.keyboard.press('Control+i')
  const details = page.getByRole('complementary', { name: 'Details' })
  await details.getByRole('button', { name: 'Explain these permissions' }).click()
  await expect(app.dialog).toContainText('This is allowed.')
  await expect(app.dialog).toContainText('In the team folder “Crew”.')
  await expect(app.dialog).toContainText('Download: given to this user')
  await app.dialog.getByLabel('Actions').selectOption('Delete')
  await expect(app.dialog).toContainText('This is denied.')
  await send(server, 'PUT', `/api/mounts/${mount}/access/user/${mia.id}`, admin.token, { rights: ['inherit'] })
  await app.dialog.getByLabel('Path').fill('/Crew/team/sub')
  await expect(app.dialog).toContainText("Delete files and folders: as in this user's own files")
  await send(server, 'PUT', `/api/mounts/${mount}`, admin.token, { name: 'Crew', readOnly: true })
  await app.dialog.getByLabel('Path').fill('/Crew/media/sub')
  await expect(app.dialog).toContainText('Read-only for everyone.')
  await expectAccessibleInBoth(page)
  await expectFineOnAPhoneAndInArabic(app, await signIn(server, mia.name, GOOD_PASSWORD))
  await send(server, 'DELETE', `/api/mounts/${mount}`, admin.token)
})

test('ROOT-11 a user without a home sees team folders only, and nothing is offered at the top', async ({
  page,
  server,
}) => {
  const admin = await manager(server)
  const scope = `/${uniqueName('mia')}`
  mkdirSync(join(server.root, scope, 'docs'), { recursive: true })
  const mia = await newcomer(server, admin, { scope, perm: perm('create', 'download', 'delete', 'modify', 'rename') })
  const mount = await give(server, admin, mia.id, { name: 'Crew', rights: EDIT, folder: '/' })
  const app = new App(page, server.url)
  await becomeOther(page, mia.token)
  await app.open('/files/')
  await expect(app.row('docs')).toBeVisible()
  await expect(app.button('New')).toBeVisible()
  await send(server, 'PUT', `/api/users/${mia.id}/home`, admin.token, { home: 'none' })
  await app.open('/files/')
  await expect(app.row('Crew')).toBeVisible()
  await expect(app.row('docs')).toHaveCount(0)
  await expect(app.button('New')).toHaveCount(0)
  await expectAccessibleInBoth(page)
  await app.row('Crew').dblclick()
  await expect(app.row('team')).toBeVisible()
  await expect(app.button('New')).toBeVisible()
  await app.open('/files/docs/')
  await expect(page.getByText('You have no home directory here.')).toBeVisible()
  await app.open('/trash')
  await expectAccessibleInBoth(page)
  await expectFineOnAPhoneAndInArabic(app, await signIn(server, mia.name, GOOD_PASSWORD))
  await send(server, 'DELETE', `/api/mounts/${mount}`, admin.token)
})

test('ROOT-06 a mount that comes, and one that ends, show at once in open pages', async ({ page, server }) => {
  const admin = await manager(server)
  const scope = `/${uniqueName('mia')}`
  mkdirSync(join(server.root, scope, 'docs'), { recursive: true })
  const mia = await newcomer(server, admin, { scope, perm: perm('create', 'download') })
  const app = new App(page, server.url)
  await becomeOther(page, mia.token)
  await app.open('/files/')
  await expect(app.row('docs')).toBeVisible()
  const sidebar = page.getByRole('navigation', { name: 'Main navigation' })
  const entry = sidebar.getByRole('list').getByRole('link', { name: 'Crew', exact: true })
  const mount = await give(server, admin, mia.id, { name: 'Crew', rights: EDIT, folder: '/' })
  await expect(app.row('Crew')).toBeVisible()
  await expect(entry).toBeVisible()
  const until = async (milliseconds: number) => {
    const expires = new Date(Date.now() + milliseconds).toISOString()
    const access = `/api/mounts/${mount}/access/user/${mia.id}`
    expect((await send(server, 'PUT', access, admin.token, { rights: EDIT, expires })).status).toBe(204)
  }
  await until(4000)
  await expect(app.row('Crew')).toHaveCount(0)
  await expect(entry).toHaveCount(0)
  await expect(app.row('docs')).toBeVisible()
  await until(60_000)
  await entry.click()
  await expect(app.row('team')).toBeVisible()
  await until(3000)
  await expect(app.row('team')).toHaveCount(0)
  await expect(entry).toHaveCount(0)
  await expectAccessibleInBoth(page)
  await send(server, 'DELETE', `/api/mounts/${mount}`, admin.token)
})

test('ROOT-12 the lists of links say which do not open now, and why', async ({ browser, page, server }) => {
  const admin = await manager(server)
  const scope = `/${uniqueName('mia')}`
  mkdirSync(join(server.root, scope), { recursive: true })
  const mia = await newcomer(server, admin, { scope, perm: perm('download', 'share') })
  const access = { name: 'Crew', rights: ['download', 'share'], folder: '/' }
  const mount = await give(server, admin, mia.id, access)
  await send(server, 'POST', '/api/share/Crew/team', mia.token, {})
  await send(server, 'POST', '/api/share/Crew/media', mia.token, {})
  const app = new App(page, server.url)
  await becomeOther(page, mia.token)
  await app.open('/settings/shares')
  const row = page.getByRole('row').filter({ hasText: '/Crew/team' })
  await expect(row).toContainText('Permanent')
  await expect(page.getByText('Does not open now')).toHaveCount(0)
  await send(server, 'PUT', `/api/mounts/${mount}`, admin.token, { name: 'Crew', readOnly: true })
  await app.open('/settings/shares')
  await expect(row).toContainText("Does not open now: you don't have the permission for it.")
  await send(server, 'DELETE', `/api/mounts/${mount}/access/user/${mia.id}`, admin.token)
  await app.open('/settings/shares')
  await expect(row).toContainText("Does not open now: you don't have the folder at the moment.")
  await expectAccessibleInBoth(page)
  await expectFineOnAPhoneAndInArabic(app, await signIn(server, mia.name, GOOD_PASSWORD))
  const theirs = await browser.newPage()
  await becomeOther(theirs, await signIn(server))
  await new App(theirs, server.url).open('/settings/shares')
  const listed = theirs.getByRole('row').filter({ hasText: mia.name })
  await expect(listed.first()).toContainText("Does not open now: its owner doesn't have the folder.")
  await theirs.close()
  await send(server, 'DELETE', `/api/mounts/${mount}`, admin.token)
})
