import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'

const NAMES = ['a.bin', 'b.bin', 'c.bin', 'd.bin', 'e.bin']

test.beforeEach(async ({ app, corner }) => {
  await mkdir(join(corner.disk, 'folder'))
  for (const name of NAMES) await writeFile(join(corner.disk, name), Buffer.from([0, 1, 2]))
  await app.openFolder(corner.path)
})

test('a click selects one, Ctrl adds and removes, Shift selects a range', async ({ app }) => {
  await app.row('b.bin').click()
  await expect.poll(() => app.selected()).toEqual(['b.bin'])
  await app.row('d.bin').click()
  await expect.poll(() => app.selected()).toEqual(['d.bin'])
  await app.row('a.bin').click({ modifiers: ['Control'] })
  await expect.poll(() => app.selected()).toEqual(['a.bin', 'd.bin'])
  await app.row('d.bin').click({ modifiers: ['Control'] })
  await expect.poll(() => app.selected()).toEqual(['a.bin'])
  await app.row('b.bin').click()
  await app.row('d.bin').click({ modifiers: ['Shift'] })
  await expect.poll(() => app.selected()).toEqual(['b.bin', 'c.bin', 'd.bin'])
  await app.row('a.bin').click({ modifiers: ['Shift'] })
  await expect.poll(() => app.selected()).toEqual(['a.bin', 'b.bin'])
})

test('the selection is summarised and can be cleared', async ({ app, page }) => {
  await app.row('b.bin').click()
  await app.row('c.bin').click({ modifiers: ['Control'] })
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await expect(bar).toContainText('2 selected')
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expect.poll(() => app.selected()).toEqual([])
  await expect(bar).toHaveCount(0)
})

test('the check boxes add to the selection, the one in the header selects all', async ({ app, page }) => {
  await page.getByRole('checkbox', { name: 'Select b.bin', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Select d.bin', exact: true }).click()
  await expect.poll(() => app.selected()).toEqual(['b.bin', 'd.bin'])
  const all = page.getByRole('checkbox', { name: 'Select all' })
  await all.click()
  await expect.poll(() => app.selected()).toEqual(['folder', ...NAMES])
  await all.click()
  await expect.poll(() => app.selected()).toEqual([])
})

test('arrows move, Shift and arrows select a range, Ctrl+A selects all, Esc clears', async ({ app, page }) => {
  await expect(app.row('folder')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => app.selected()).toEqual(['b.bin'])
  await expect(app.row('b.bin')).toBeFocused()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(() => app.selected()).toEqual(['b.bin', 'c.bin', 'd.bin'])
  await page.keyboard.press('Shift+ArrowUp')
  await expect.poll(() => app.selected()).toEqual(['b.bin', 'c.bin'])
  await page.keyboard.press('Control+a')
  await expect.poll(() => app.selected()).toEqual(['folder', ...NAMES])
  await page.keyboard.press('Escape')
  await expect.poll(() => app.selected()).toEqual([])
  await page.keyboard.press('End')
  await expect.poll(() => app.selected()).toEqual(['e.bin'])
  await page.keyboard.press('Home')
  await expect.poll(() => app.selected()).toEqual(['folder'])
  await page.keyboard.press('Control+Space')
  await expect.poll(() => app.selected()).toEqual([])
})

test('Ctrl and arrows move without selecting, Ctrl and Space add', async ({ app, page }) => {
  await page.keyboard.press('Home')
  await page.keyboard.press('Control+ArrowDown')
  await page.keyboard.press('Control+ArrowDown')
  await page.keyboard.press('Control+Space')
  await expect.poll(() => app.selected()).toEqual(['folder', 'b.bin'])
})

test('typing the beginning of a name focuses it', async ({ app, page }) => {
  await page.keyboard.type('d.b')
  await expect(app.row('d.bin')).toBeFocused()
})

test('Enter opens, Backspace and Alt+Up go to the folder above', async ({ app, page, corner }) => {
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await app.isAt(`/files${corner.path}/folder/`)
  await expect(page.getByText('It feels lonely here…')).toBeVisible()
  await page.keyboard.press('Alt+ArrowUp')
  await app.isAt(`/files${corner.path}/`)
  await expect(app.row('folder')).toBeFocused()
  await page.keyboard.press('Backspace')
  await app.isAt('/files/')
})

test('a change of folder clears the selection', async ({ app, page }) => {
  await app.row('b.bin').click()
  await app.row('folder').dblclick()
  await expect(page.getByText('It feels lonely here…')).toBeVisible()
  await page.goBack()
  await expect(app.row('b.bin')).toBeVisible()
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toHaveCount(0)
})

test('the menu of a row offers its actions', async ({ app, page }) => {
  await app.row('b.bin').click({ button: 'right' })
  const items = page.getByRole('menuitem')
  await expect(page.getByRole('menuitem', { name: 'Open', exact: true })).toBeVisible()
  await expect(items.filter({ hasText: 'Download' })).toBeVisible()
  await expect(items.filter({ hasText: /^Delete(?! perm)/ })).toBeVisible()
  await expect.poll(() => app.selected()).toEqual(['b.bin'])
  await page.keyboard.press('Escape')
  await expect(items).toHaveCount(0)
  await expect(app.row('b.bin')).toBeFocused()
})

test('with a selection, / opens the filter and typing goes into it; visible rows stay selected', async ({
  app,
  page,
  corner,
}) => {
  for (const name of ['apple.txt', 'apricot.txt', 'banana.txt']) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  await app.row('apple.txt').click()
  await app.row('banana.txt').click({ modifiers: ['Control'] })
  await page.keyboard.press('/')
  const field = page.getByRole('textbox', { name: 'Filter this folder' })
  await expect(field).toBeFocused()
  await expect(field).toBeInViewport()
  await expect.poll(() => app.selected()).toEqual(['apple.txt', 'banana.txt'])
  await page.keyboard.type('ap')
  await expect(field).toHaveValue('ap')
  await expect(field).toBeFocused()
  await expect.poll(() => app.names()).toEqual(['apple.txt', 'apricot.txt'])
  await expect.poll(() => app.selected()).toEqual(['apple.txt'])

  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => app.selected()).toEqual(['apricot.txt'])
  await expect(field).toBeVisible()
  await page.keyboard.press('/')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('ap')
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  await expect.poll(() => app.selected()).toEqual(['apricot.txt'])
  await expect(app.row('apricot.txt')).toBeFocused()
})
