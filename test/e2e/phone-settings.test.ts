import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GOOD_PASSWORD, manager } from '../api/accounts.ts'
import { json } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { linkTo } from '../api/links-client.ts'
import { unpack } from '../api/unpack.ts'
import { expectNoSidewaysScroll } from './axe.ts'
import { longPress } from './finger.ts'
import { expect, test } from './fixtures.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('by touch rules are created, reordered and tested, and the settings are saved', async ({ app, page, server }) => {
  const boss = await manager(server)
  await boss.change({ rules: [], userHomeBasePath: '/users' })
  await app.open('/settings/global')
  await app.button('New rule').tap()
  await page.getByLabel('Path of rule 1').fill('/photos')
  await page.getByLabel('Effect of rule 1').selectOption('Deny')
  await app.button('New rule').tap()
  await page.getByRole('checkbox', { name: 'Regex' }).nth(1).tap()
  await page.getByLabel('Regular expression of rule 2').fill('\\.jpg$')
  await app.button('Move rule 2 up').tap()
  await page.getByLabel('Try a path').fill('/photos/a.jpg')
  await expect(page.getByText('Denied by rule 2')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.getByLabel('Base path for home directories').fill('/homes')
  await app.button('Save').tap()
  await expect(page.getByText('Settings updated')).toBeVisible()
  expect(json(await boss.settings())).toMatchObject({
    userHomeBasePath: '/homes',
    rules: [{ regexp: { raw: '\\.jpg$' } }, { path: '/photos' }],
  })
  await app.button('Delete rule 1').tap()
  await app.button('Discard').tap()
  await expect(app.button('Delete rule 2')).toBeVisible()
  await boss.change({ rules: [], userHomeBasePath: '/users' })
})

test('scheduled jobs are shown on demand, and leave room for the buttons of a form', async ({
  app,
  page,
  server,
  token,
  corner,
}) => {
  const jobs = jobsOf(server, { token })
  const runAt = new Date(Date.now() + 3_600_000).toISOString()
  const order = async (name: string) => {
    const items = [{ from: `${corner.path}/${name}`, to: `${corner.path}/copy of ${name}` }]
    return json(await jobs.ask({ kind: 'copy', items, runAt })).id
  }
  const ids = await Promise.all(['1', '2', '3', '4'].map(order))
  await app.open('/settings/global')
  const list = page.getByRole('region', { name: 'Jobs' })
  await page.getByRole('button', { name: 'Jobs · 4 scheduled jobs' }).tap()
  await expect(list).toContainText('4 scheduled jobs')
  await expect(page.getByText('Copying 1')).toBeVisible()
  await page.getByLabel('Base path for home directories').fill('/homes')
  await app.button('Discard').tap()
  await expect(app.button('Discard')).toHaveCount(0)
  for (const id of ids) await jobs.cancel(id)
  for (const id of ids) await jobs.forget(id)
})

test('by touch a link is copied and deleted among all of them', async ({ app, page, server, token, corner }) => {
  await writeFile(join(corner.disk, 'shared.txt'), '')
  const path = `${corner.path}/shared.txt`
  const { hash } = await linkTo(server, token, path)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await app.open('/settings/shares')
  await app.button(`Copy the link to ${path}`).tap()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}/share/${hash}`)
  await app.button(`Delete the link to ${path}`).tap()
  await app.dialog.getByRole('button', { name: 'Delete' }).tap()
  await expect(page.getByText('Share deleted')).toBeVisible()
  await expect(app.button(`Delete the link to ${path}`)).toHaveCount(0)
})

test('by touch a user becomes an administrator, and is deleted', async ({ app, page }) => {
  await app.open('/settings/users')
  await page.getByRole('link', { name: 'New' }).tap()
  await page.getByLabel('Username').fill(uniqueName('touch'))
  await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
  await page.getByLabel('Administrator').tap()
  await expect(page.getByLabel('Share files')).toBeDisabled()
  await app.button('New rule').tap()
  await page.getByLabel('Path of rule 1').fill('/photos')
  await app.button('Create').tap()
  await expect(page.getByText('User created')).toBeVisible()
  await app.button('Delete').tap()
  await app.dialog.getByRole('button', { name: 'Delete' }).tap()
  await expect(page.getByText('User deleted')).toBeVisible()
})

test('by touch several items are downloaded as the chosen archive format', async ({ app, page, corner }) => {
  for (const name of ['one.txt', 'two.txt']) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  await longPress(app.row('one.txt'))
  await app.row('two.txt').tap()
  await app.button('Download').tap()
  const arrives = page.waitForEvent('download')
  await app.dialog.getByRole('button', { name: 'tar', exact: true }).tap()
  const download = await arrives
  expect(download.suggestedFilename()).toBe(`${corner.name}.tar`)
  const content = await unpack(await readFile(await download.path()), '.tar')
  expect(Object.keys(content).toSorted()).toEqual(['one.txt', 'two.txt'])
})
