import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { GOOD_PASSWORD, manager, newcomer, perm } from '../api/accounts.ts'
import { login } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { becomeOther, type Corner, expect, statusWith, test } from './fixtures.ts'

/** Users to delete after a test: other tests count the administrators. */
const guests: (() => Promise<unknown>)[] = []
test.afterEach(async () => {
  for (const leave of guests.splice(0)) await leave()
})

/** An administrator whose scope is one corner, signed in here and elsewhere. @returns the other session's token */
async function becomeAdministrator(page: Page, server: OwnServer, corner: Corner): Promise<string> {
  const owner = await manager(server)
  const fields = { scope: corner.path, perm: perm('admin', 'create', 'download') }
  const { id, token, name } = await newcomer(server, owner, fields)
  guests.push(() => owner.remove(id))
  await becomeOther(page, token)
  return (await login(server, name, GOOD_PASSWORD)).text
}

/** An archive, a folder with some data, and a text with a rare word. */
async function fill({ disk }: Corner): Promise<void> {
  await copyFile(new URL('../fixtures/archives/tree.tar.xz', import.meta.url), join(disk, 'trip.tar.xz'))
  await mkdir(join(disk, 'films'))
  await writeFile(join(disk, 'films/long.mp4'), Buffer.alloc(300_000, 1))
  await writeFile(join(disk, 'minutes.txt'), 'We bought a perlescent lamp')
}

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search files' })
const result = (page: Page, name: string) =>
  page.getByRole('grid', { name: 'Search results' }).getByRole('row').filter({ hasText: name })
const member = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const devices = (page: Page) => page.getByRole('region', { name: 'Active sessions' })
const read = (page: Page) => page.getByRole('listitem').filter({ hasText: 'minutes.txt' })

test.beforeEach(({ corner }) => fill(corner))

test('with the mouse an archive is browsed and extracted, and the disk usage is opened', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  await app.row('trip.tar.xz').dblclick()
  await member(page, 'docs').dblclick()
  await member(page, 'naïve.txt').dblclick()
  await expect(page.getByText('grüße')).toBeVisible()
  await app.button('Go up').click()
  await app.button('Go up').click()
  await app.button('Extract…').click()
  await app.dialog.getByRole('button', { name: 'Extract', exact: true }).click()
  await expect.poll(() => readdir(join(corner.disk, 'trip')).catch(() => [])).toEqual(['docs', 'long.txt'])

  await app.openFolder(corner.path)
  await app.button('Storage usage').click()
  await page.getByRole('row').getByRole('link', { name: 'films', exact: true }).click()
  await page.getByRole('main').getByRole('link', { name: 'Open', exact: true }).click()
  await expect(app.row('long.mp4')).toBeVisible()
})

test('with the keyboard alone a text is found by its content, its permissions are explained, and the audit log is read', async ({
  app,
  page,
  corner,
  server,
}) => {
  const elsewhere = await becomeAdministrator(page, server, corner)
  const { keyboard } = page
  await app.openFolder('')
  await keyboard.press('Control+f')
  await expect(field(page)).toBeFocused()
  await app.button('Text in files').focus()
  await keyboard.press('Enter')
  await expect(app.button('Text in files')).toHaveAttribute('aria-pressed', 'true')
  await field(page).focus()
  await keyboard.type('perlescent')
  await expect(result(page, 'minutes.txt')).toBeVisible({ timeout: 60_000 })
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await expect(page.getByText('We bought a perlescent lamp')).toBeVisible()

  await app.openFolder('')
  await keyboard.press('End')
  await keyboard.press('Control+i')
  const why = page
    .getByRole('complementary', { name: 'Details' })
    .getByRole('button', { name: 'Explain these permissions' })
  await why.focus()
  await keyboard.press('Enter')
  await expect(app.dialog).toContainText('This is allowed.')
  await keyboard.press('Escape')
  await expect(why).toBeFocused()

  await app.open('/settings/audit')
  await expect(page.getByRole('heading', { name: 'Audit log' })).toBeFocused()
  await page.getByLabel('Path').focus()
  await keyboard.type('minutes')
  await expect(read(page).first()).toBeVisible()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Diagnostics' }).focus()
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Diagnostics' })).toBeFocused()
  await app.button('Check again').focus()
  await keyboard.press('Enter')
  await expect(page.getByText('Live updates arrive immediately.')).toBeVisible()

  await app.open('/settings/security')
  await devices(page).getByRole('button', { name: 'Log out', exact: true }).focus()
  await keyboard.press('Enter')
  await expect.poll(() => statusWith(server, elsewhere)).toBe(401)
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('by touch an archive is browsed and extracted, and the disk usage is opened', async ({ app, page, corner }) => {
    await app.openFolder(corner.path)
    await app.row('trip.tar.xz').tap()
    await member(page, 'docs').tap()
    await expect(member(page, 'naïve.txt')).toBeVisible()
    await app.button('Go up').tap()
    await app.button('Extract…').tap()
    await app.dialog.getByRole('button', { name: 'Extract', exact: true }).tap()
    await expect.poll(() => readdir(join(corner.disk, 'trip')).catch(() => [])).toEqual(['docs', 'long.txt'])

    await app.openFolder(corner.path)
    await app.button('Sidebar').tap()
    await app.button('Storage usage').tap()
    await page.getByRole('row').getByRole('link', { name: 'films', exact: true }).tap()
    await page.getByRole('main').getByRole('link', { name: 'Open', exact: true }).tap()
    await expect(app.row('long.mp4')).toBeVisible()
  })

  test('by touch a text is found by its content, its permissions are explained, and the audit log is read', async ({
    app,
    page,
    corner,
    server,
  }) => {
    const elsewhere = await becomeAdministrator(page, server, corner)
    await app.openFolder('')
    await app.button('Search').tap()
    await app.button('Text in files').tap()
    await field(page).fill('perlescent')
    await result(page, 'minutes.txt').tap({ timeout: 60_000 })
    await expect(page.getByText('We bought a perlescent lamp')).toBeVisible()

    await app.openFolder('')
    await app.button('Actions for minutes.txt').tap()
    await page.getByRole('menuitem', { name: 'Details' }).tap()
    await page.getByRole('button', { name: 'Explain these permissions' }).tap()
    await expect(page.getByText('This is allowed.')).toBeVisible()

    await app.open('/settings/audit')
    await page.getByLabel('Path').fill('minutes')
    await expect(read(page).first()).toBeVisible()
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Diagnostics' }).tap()
    await app.button('Check again').tap()
    await expect(page.getByText('Live updates arrive immediately.')).toBeVisible()

    await app.open('/settings/security')
    await devices(page).getByRole('button', { name: 'Log out', exact: true }).tap()
    await expect.poll(() => statusWith(server, elsewhere)).toBe(401)
  })
})
