import { existsSync } from 'node:fs'
import { mkdir, readdir, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'

test('a new folder is created, shown and focused', async ({ app, page, corner }) => {
  await app.openFolder(corner.path)
  await page.keyboard.press('Alt+n')
  const name = app.naming.getByLabel('Folder name')
  await expect(name).toBeFocused()
  await name.fill('Größe 100% #1')
  await page.keyboard.press('Enter')
  await expect(app.naming).toHaveCount(0)
  await expect(app.row('Größe 100% #1')).toBeFocused()
  await expect(page.getByText('Created “Größe 100% #1”')).toBeVisible()
  await expect.poll(async () => (await stat(join(corner.disk, 'Größe 100% #1'))).isDirectory()).toBe(true)
})

test('an invalid name is refused with a reason', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'taken'))
  await app.openFolder(corner.path)
  await page.keyboard.press('Alt+n')
  const name = app.naming.getByLabel('Folder name')
  for (const [text, reason] of [
    ['', 'Please enter a name.'],
    ['..', "A name can't be “.” or “..”."],
    ['a/b', "A name can't contain “/”."],
    ['taken', 'Something named “taken” is already here.'],
    ['x'.repeat(256), 'This name is too long.'],
  ] as const) {
    await name.fill(text)
    await name.press('Enter')
    await expect(app.naming.getByText(reason)).toBeVisible()
    await expect(name).toHaveAttribute('aria-invalid', 'true')
  }
  await expect.poll(() => readdir(corner.disk)).toEqual(['taken'])
})

test('deleting asks first; Escape and Enter cancel, the button deletes', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'tree/inner'), { recursive: true })
  await writeFile(join(corner.disk, 'tree/inner/a.txt'), 'a')
  await writeFile(join(corner.disk, 'kept.txt'), 'kept')
  await app.openFolder(corner.path)
  await app.row('tree').click()
  await page.keyboard.press('Shift+Delete')
  await expect(page.getByRole('alertdialog', { name: 'Delete “tree” permanently?' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(app.dialog).toHaveCount(0)
  await expect.poll(() => existsSync(join(corner.disk, 'tree/inner/a.txt'))).toBe(true)

  await page.keyboard.press('Shift+Delete')
  await app.confirm()
  await expect(app.dialog).toHaveCount(0)
  await expect.poll(() => existsSync(join(corner.disk, 'tree/inner/a.txt'))).toBe(true)

  await page.keyboard.press('Shift+Delete')
  await app.confirmDelete()
  await expect(app.row('tree')).toHaveCount(0)
  await expect(app.row('kept.txt')).toBeVisible()
  await expect.poll(() => readdir(corner.disk)).toEqual(['kept.txt'])
})

test('several items are deleted at once', async ({ app, page, corner }) => {
  const names = Array.from({ length: 12 }, (_, index) => `${index}.txt`)
  for (const name of names) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Shift+Delete')
  await expect(page.getByRole('alertdialog', { name: 'Delete 12 items permanently?' })).toBeVisible()
  await app.confirmDelete()
  await expect(page.getByText('It feels lonely here…')).toBeVisible()
  await expect.poll(() => readdir(corner.disk)).toEqual([])
})

test('an item that no longer exists is reported, the rest is deleted', async ({ app, page, corner }) => {
  for (const name of ['a.txt', 'b.txt']) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+a')
  await unlink(join(corner.disk, 'a.txt'))
  await app.deleteByKey()
  await expect(page.getByRole('alertdialog')).toContainText('could not be deleted')
  await expect(page.getByRole('alertdialog')).toContainText('a.txt')
  await expect.poll(() => readdir(corner.disk)).toEqual([])
})
