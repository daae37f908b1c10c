import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, signIn } from '../api/client.ts'
import { App } from './app.ts'
import { expectAccessibleInBoth, expectFineOnAPhoneAndInArabic } from './axe.ts'
import { expect, logInOnce, test } from './fixtures.ts'

test('J9 what one device deletes, a phone undoes from the history, and the first one follows', async ({
  app,
  page,
  browser,
  corner,
  server,
}) => {
  for (const name of ['laptop-a.txt', 'laptop-b.txt']) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expect.poll(() => readdir(corner.disk)).toEqual([])

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await phone.addInitScript(logInOnce, await signIn(server))
  const other = new App(await phone.newPage(), server.url)
  await other.openFolder(corner.path)
  await other.button('Sidebar').tap()
  await other.page.getByRole('link', { name: 'History' }).tap()
  await other.page.getByRole('button', { name: `In “${corner.name}”` }).tap()
  await other.page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await expect(other.page.getByText('No changes match')).toBeVisible()
  await other.page.reload()
  await expect(other.page.getByLabel('To', { exact: true })).toHaveValue('2020-01-01')
  await other.button('Clear filters').tap()
  await other.page.getByRole('button', { name: `In “${corner.name}”` }).tap()
  await expect(other.page).toHaveURL(/[?&]here=/)
  const line = other.page.getByRole('listitem').filter({ hasText: 'laptop-a.txt' }).first()
  await expect(line).toContainText('Moved 2 items to the trash')
  await line.getByRole('button', { name: 'Undo: Moved 2 items to the trash' }).tap()
  await expect(other.page.getByText('Undone: Moved 2 items to the trash').first()).toBeVisible()
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['laptop-a.txt', 'laptop-b.txt'])
  await expect(line).toContainText('Undone')
  await expect(line.getByRole('button', { name: /^Redo/ })).toBeVisible()
  await phone.close()

  await expect(app.row('laptop-a.txt')).toBeVisible()
  await page.keyboard.press('Alt+h')
  await expect(app.dialog).toContainText('Undone: Moved 2 items to the trash')
})

test('J15 by the keyboard alone a change is undone and done again, also after a reload', async ({
  app,
  page,
  corner,
}) => {
  for (const name of ['keys-a.txt', 'keys-b.txt', 'keys-c.txt']) await writeFile(join(corner.disk, name), name)
  const files = async () => (await readdir(corner.disk)).sort()
  await app.openFolder(corner.path)
  await app.row('keys-a.txt').focus()
  await page.keyboard.press('ArrowDown')
  await expect(app.row('keys-b.txt')).toBeFocused()
  await page.keyboard.press('Delete')
  await expect.poll(files).toEqual(['keys-a.txt', 'keys-c.txt'])
  await page.reload()
  await app.settled()
  await app.row('keys-a.txt').focus()
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('status').filter({ hasText: 'Undone: Moved “keys-b.txt” to the trash' })).toBeVisible()
  await expect(app.row('keys-b.txt')).toBeFocused()
  await expect.poll(files).toEqual(['keys-a.txt', 'keys-b.txt', 'keys-c.txt'])
  await page.keyboard.press('Control+Shift+z')
  await expect(page.getByRole('status').filter({ hasText: 'Redone: Moved “keys-b.txt” to the trash' })).toBeVisible()
  await expect(page.getByText('Undone: Moved “keys-b.txt” to the trash')).toHaveCount(0)
  await expect.poll(files).toEqual(['keys-a.txt', 'keys-c.txt'])
  await page.keyboard.press('Control+z')
  await expect(app.row('keys-b.txt')).toBeFocused()
  await page.keyboard.press('Control+y')
  await expect.poll(files).toEqual(['keys-a.txt', 'keys-c.txt'])
})

test('every press of Ctrl+Z and Ctrl+Y counts, also during the undo before it, and a held key once', async ({
  app,
  page,
  corner,
}) => {
  for (const name of ['quick-a.txt', 'quick-b.txt', 'quick-c.txt']) await writeFile(join(corner.disk, name), name)
  const files = async () => (await readdir(corner.disk)).sort()
  await app.openFolder(corner.path)
  for (const [name, ...left] of [
    ['quick-a.txt', 'quick-b.txt', 'quick-c.txt'],
    ['quick-b.txt', 'quick-c.txt'],
  ] as const) {
    await app.row(name).click()
    await page.keyboard.press('Delete')
    // A row whose removal is slow comes back until it is confirmed, and moves the others.
    await expect(page.getByRole('status').filter({ hasText: `Moved “${name}” to the trash` })).toBeVisible()
    await expect.poll(files).toEqual(left)
  }
  const notice = (text: string) =>
    page.getByRole('status').filter({ hasText: new RegExp(`${text}: Moved “quick-.\\.txt” to the trash`) })
  for (const keys of ['Control+z', 'Control+z', 'Control+y']) await page.keyboard.press(keys)
  await expect(notice('Redone')).toBeVisible()
  await expect.poll(files).toEqual(['quick-b.txt', 'quick-c.txt'])

  await page.keyboard.down('Control')
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.down('y')
  for (const key of ['y', 'Control']) await page.keyboard.up(key)
  await expect.poll(files).toEqual(['quick-c.txt'])
  await page.keyboard.down('Control')
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.down('z')
  for (const key of ['z', 'Control']) await page.keyboard.up(key)
  await expect(notice('Undone')).toBeVisible()
  // What comes after a key pressed later would come after all repetitions too.
  await page.keyboard.press('Control+y')
  await expect(notice('Redone')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect.poll(files).toEqual(['quick-b.txt', 'quick-c.txt'])
})

test('Ctrl+Z right after a deletion is of this deletion, not of an older change', async ({ app, page, corner }) => {
  for (const name of ['soon-a.txt', 'soon-b.txt', 'soon-c.txt']) await writeFile(join(corner.disk, name), name)
  const files = async () => (await readdir(corner.disk)).sort()
  await app.openFolder(corner.path)
  await app.row('soon-a.txt').focus()
  await page.keyboard.press('ArrowDown')
  await expect(app.row('soon-b.txt')).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('status').filter({ hasText: 'Moved “soon-b.txt” to the trash' })).toBeVisible()
  await expect(app.row('soon-b.txt')).toHaveCount(0)

  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/api/resources/**', async route => {
    if (route.request().method() === 'DELETE') {
      asked.resolve()
      await held.promise
    }
    await route.continue()
  })
  await app.row('soon-a.txt').focus()
  await page.keyboard.press('ArrowDown')
  await expect(app.row('soon-c.txt')).toBeFocused()
  await page.keyboard.press('Delete')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+y')
  await page.keyboard.press('Control+z')
  // The row itself comes back after a second without an answer.
  await asked.promise
  expect(await files()).toEqual(['soon-a.txt', 'soon-c.txt'])
  let calls = 0
  page.on('requestfinished', request => {
    if (request.url().endsWith('/undo')) calls += 1
  })
  held.resolve()
  // Each of the three asks first.
  await expect.poll(() => calls).toBe(6)
  await expect(app.row('soon-c.txt')).toBeFocused()
  expect(await files()).toEqual(['soon-a.txt', 'soon-c.txt'])
})

test('uploaded files are one change, and its undo keeps what was worked on since', async ({
  app,
  page,
  corner,
  token,
}) => {
  await app.openFolder(corner.path)
  await page.keyboard.press('Alt+u')
  const chooser = page.waitForEvent('filechooser')
  await app.dialog.getByRole('button', { name: /^Files/ }).click()
  const files = ['sent-a.txt', 'sent-b.txt'].map(name => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(name),
  }))
  await (await chooser).setFiles(files)
  await expect(app.uploads).toContainText('2 files uploaded to')
  await writeFile(join(corner.disk, 'sent-b.txt'), 'worked on')

  await app.open('/history/')
  await expect(page.getByRole('heading', { name: 'History', level: 1 })).toBeFocused()
  const line = page.getByRole('listitem').filter({ hasText: 'sent-a.txt' }).filter({ hasText: 'Uploaded 2 items' })
  await line.getByRole('button', { name: 'Uploaded 2 items', exact: true }).click()
  await expect(line).toContainText('Possible for 1 of 2 items')
  await expectAccessibleInBoth(page)
  await line.getByRole('button', { name: 'Undo: Uploaded 2 items' }).click()
  await expect(app.dialog).toContainText('Changed since then')
  await expect(app.dialog.getByLabel('Action for sent-b.txt')).toHaveValue('leave')
  await expectAccessibleInBoth(page)
  await app.dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => readdir(corner.disk)).toEqual(['sent-b.txt'])
  expect(await readFile(join(corner.disk, 'sent-b.txt'), 'utf8')).toBe('worked on')
  await expect(line).toContainText('Partly undone')
  await expectFineOnAPhoneAndInArabic(app, token)
})

test('a row of the audit log leads to the undo of its change', async ({ app, page, corner, server, token }) => {
  await mkdir(join(corner.disk, 'to'))
  await writeFile(join(corner.disk, 'logged.txt'), 'a')
  const query = new URLSearchParams({ action: 'rename', destination: `${corner.path}/to/logged.txt` })
  const path = `/api/resources${corner.path}/logged.txt?${query}`
  expect((await call(server, path, { method: 'PATCH', token })).status).toBe(200)
  await app.open('/settings/audit')
  await page.getByLabel('Path').fill(corner.name)
  const row = page.getByRole('listitem').filter({ hasText: 'logged.txt' }).first()
  await row.getByRole('button', { name: 'Undo…' }).click()
  await expect(app.dialog).toContainText('Undo: Moved “logged.txt”')
  await app.dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['logged.txt', 'to'])
})
