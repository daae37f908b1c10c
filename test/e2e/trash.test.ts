import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'

test('Delete moves items to the trash without a question, and Undo brings them back with the focus', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'tree/inner'), { recursive: true })
  await writeFile(join(corner.disk, 'tree/inner/a.txt'), 'a')
  for (const name of ['b.txt', 'kept.txt']) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  await app.row('tree').click()
  await app.row('b.txt').click({ modifiers: ['Control'] })
  await page.keyboard.press('Delete')
  await expect(app.dialog).toHaveCount(0)
  await expect(page.getByRole('status').filter({ hasText: 'Moved 2 items to the trash' })).toBeVisible()
  await expect(app.row('kept.txt')).toBeFocused()
  await expect.poll(() => readdir(corner.disk)).toEqual(['kept.txt'])

  await app.button('Undo').click()
  await expect(page.getByRole('status').filter({ hasText: 'Undone: Moved 2 items to the trash' })).toBeVisible()
  await expect(app.row('tree').or(app.row('b.txt')).and(page.locator(':focus'))).toBeVisible()
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['b.txt', 'kept.txt', 'tree'])
  expect(existsSync(join(corner.disk, 'tree/inner/a.txt'))).toBe(true)
})

test('Ctrl+Z asks when the name of a deleted file is taken, and by default restores it under another one', async ({
  app,
  page,
  corner,
}) => {
  await writeFile(join(corner.disk, 'a.txt'), 'old')
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await page.keyboard.press('Delete')
  await expect(page.getByText('Moved “a.txt” to the trash')).toBeVisible()
  await writeFile(join(corner.disk, 'a.txt'), 'new')
  await page.keyboard.press('Control+z')
  await expect(app.dialog).toContainText('Another item has this name now')
  await app.dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['a(1).txt', 'a.txt'])
  await expect(app.row('a(1).txt')).toBeFocused()
})

test('the offer to undo stays while the pointer is on it', async ({ app, page, corner }) => {
  await page.clock.install()
  await writeFile(join(corner.disk, 'a.txt'), 'a')
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await page.keyboard.press('Delete')
  await app.button('Undo').hover()
  await page.clock.runFor(60_000)
  await expect(app.button('Undo')).toBeVisible()
  await page.mouse.move(0, 0)
  await page.clock.runFor(11_000)
  await expect(app.button('Undo')).toHaveCount(0)
})

test('deletions are confirmed first when the profile says so', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'a.txt'), 'a')
  await app.open('/settings/profile')
  await page.getByRole('checkbox', { name: 'Ask before deleting' }).check()
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('alertdialog', { name: 'Move “a.txt” to the trash?' })).toBeVisible()
  await app.confirmDelete()
  await expect(page.getByText('Moved “a.txt” to the trash')).toBeVisible()
  await expect.poll(() => readdir(corner.disk)).toEqual([])
})

test('what the trash cannot hold is only deleted after a question', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'a.txt'), 'a')
  await app.openFolder(corner.path)
  await page.route(
    url => url.pathname.endsWith('/a.txt') && !url.search.includes('permanent'),
    route => route.fulfill({ status: 409, headers: { 'X-Error-Code': 'no_trash' } }),
  )
  await app.row('a.txt').click()
  await page.keyboard.press('Delete')
  const question = page.getByRole('alertdialog', { name: "Can't be kept here. Delete permanently?" })
  await expect(question).toContainText('a.txt')
  await page.keyboard.press('Escape')
  await expect(app.row('a.txt')).toBeVisible()
  expect(existsSync(join(corner.disk, 'a.txt'))).toBe(true)

  await app.row('a.txt').click()
  await page.keyboard.press('Delete')
  await expect(question).toBeVisible()
  await app.confirmDelete()
  await expect(page.getByText('Deleted “a.txt”')).toBeVisible()
  await expect.poll(() => existsSync(join(corner.disk, 'a.txt'))).toBe(false)
})
