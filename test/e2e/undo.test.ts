import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'

test('several steps are undone one after the other, the last one first', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'to'))
  await writeFile(join(corner.disk, 'a.txt'), 'a')
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await page.keyboard.press('F2')
  await app.naming.getByLabel('New name').fill('b.txt')
  await page.keyboard.press('Enter')
  await expect(app.row('b.txt')).toBeFocused()
  await page.keyboard.press('Control+x')
  await app.row('to').dblclick()
  await expect(page.getByText('It feels lonely here…')).toBeVisible()
  await page.keyboard.press('Control+v')
  await expect(app.row('b.txt')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('It feels lonely here…')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect.poll(() => readdir(corner.disk)).toEqual(['a.txt', 'to'])
  await page.keyboard.press('Alt+ArrowUp')
  await expect(app.row('a.txt')).toBeVisible()
})

test('an undo that meets another item says so, and leaves both if the user chooses so', async ({
  app,
  page,
  corner,
}) => {
  await writeFile(join(corner.disk, 'a.txt'), 'a')
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await page.keyboard.press('F2')
  await app.naming.getByLabel('New name').fill('b.txt')
  await page.keyboard.press('Enter')
  await expect(app.button('Undo')).toBeVisible()
  await writeFile(join(corner.disk, 'a.txt'), 'of another user')
  await app.button('Undo').click()
  await expect(app.dialog).toContainText('Another item has this name now')
  await app.dialog.getByLabel('Action for a.txt').selectOption('Leave as it is')
  await expect(app.dialog.getByRole('button', { name: 'Undo', exact: true })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['a.txt', 'b.txt'])
})

test('a slash filters the folder by name; Esc shows everything again', async ({ app, page, corner }) => {
  for (const name of ['alpha.txt', 'Beta.txt', 'gamma.md']) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  await page.keyboard.press('/')
  const field = page.getByRole('textbox', { name: 'Filter this folder' })
  await expect(field).toBeFocused()
  await page.keyboard.type('TXT')
  await expect(app.rows).toHaveCount(2)
  await expect(page.getByRole('status').filter({ hasText: '2 of 3' })).toBeVisible()
  await page.keyboard.type('x')
  await expect(page.getByText('No items match “TXTx”')).toBeVisible()
  await page.keyboard.press('Backspace')
  await expect(app.rows).toHaveCount(2)
  await page.keyboard.press('Enter')
  await expect(app.row('alpha.txt')).toBeFocused()
  await page.keyboard.press('Control+a')
  await expect.poll(() => app.selected()).toEqual(['alpha.txt', 'Beta.txt'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(app.rows).toHaveCount(3)
  await expect(field).toHaveCount(0)
})

test('Ctrl+S downloads the selection, or else the folder, in the format chosen last', async ({ app, page, corner }) => {
  for (const name of ['a,b.txt', 'c.txt', 'd.txt']) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  const saved = async (act: () => Promise<void>) => {
    const [download] = await Promise.all([page.waitForEvent('download'), act()])
    return download.suggestedFilename()
  }
  await page.keyboard.press('Control+s')
  await expect(app.dialog.getByRole('button', { name: 'zip' })).toBeFocused()
  await expect(app.dialog).toContainText(`Download “${corner.name}”`)
  const format = app.dialog.getByRole('button', { name: 'tar.zst' })
  expect(await saved(() => format.click())).toBe(`${corner.name}.tar.zst`)

  await app.row('a,b.txt').click()
  await app.row('c.txt').click({ modifiers: ['Control'] })
  await page.keyboard.press('Control+s')
  await expect(app.dialog).toContainText('Download 2 items')
  await expect(format).toBeFocused()
  expect(await saved(() => page.keyboard.press('Enter'))).toBe(`_${corner.name}.tar.zst`)

  await app.row('d.txt').click()
  expect(await saved(() => page.keyboard.press('Control+s'))).toBe('d.txt')
})

test('a failed deletion brings the row back and gives the reason', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'kept.txt'), 'kept')
  await app.openFolder(corner.path)
  await page.route(
    url => url.pathname.endsWith('/kept.txt'),
    route => route.fulfill({ status: 507, headers: { 'X-Error-Code': 'no_space' } }),
  )
  await app.row('kept.txt').click()
  await app.deleteByKey()
  await expect(page.getByRole('alertdialog', { name: '1 item could not be deleted:' })).toContainText(
    'There is no space left on the server.',
  )
  await page.keyboard.press('Escape')
  await expect(app.row('kept.txt')).toBeVisible()
})
