import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from './app.ts'
import { expect, test } from './fixtures.ts'

test.beforeEach(async ({ corner, app }) => {
  await writeFile(join(corner.disk, 'report.pdf'), 'x'.repeat(2000))
  await writeFile(join(corner.disk, 'photo of columns.png'), 'y')
  await app.openFolder(corner.path)
})

test.afterEach(async ({ page }) => {
  await page.evaluate(() => localStorage.removeItem('filigree.columns'))
})

async function openColumns(app: App): Promise<void> {
  await app.button('Actions').click()
  await app.page.getByRole('menuitem', { name: 'View', exact: true }).click()
  await app.page.getByRole('menuitem', { name: 'Columns…' }).click()
}

test('columns are added, ordered and left out, with the keyboard too, and are kept for the next visit', async ({
  app,
  page,
}) => {
  const headers = app.grid.getByRole('columnheader')
  await expect(headers).toHaveText(['', 'Name', 'Size', 'Last modified', 'Actions'])
  await openColumns(app)
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  await dialog.getByRole('checkbox', { name: 'Kind' }).check()
  await page.keyboard.press('Escape')
  await expect(headers).toHaveText(['', 'Name', 'Size', 'Last modified', 'Kind', 'Actions'])
  await expect(app.row('report.pdf').getByRole('gridcell').nth(4)).toHaveText('PDF')
  await openColumns(app)
  await dialog.getByRole('button', { name: 'Move Kind up' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await dialog.getByRole('checkbox', { name: 'Last modified' }).uncheck()
  await page.keyboard.press('Escape')
  await expect(headers).toHaveText(['', 'Name', 'Kind', 'Size', 'Actions'])
  await page.reload()
  await app.settled()
  await expect(headers).toHaveText(['', 'Name', 'Kind', 'Size', 'Actions'])
  await expect(app.grid).toHaveAttribute('aria-colcount', '5')
  const kind = headers.filter({ hasText: 'Kind' })
  await kind.getByRole('button', { name: 'Kind' }).click()
  await expect(kind).toHaveAttribute('aria-sort', 'ascending')
  await kind.getByRole('button', { name: 'Kind' }).click()
  await expect(kind).toHaveAttribute('aria-sort', 'descending')
})

test('a wide window has the kind as well, until other columns were chosen', async ({ app, page }) => {
  const headers = app.grid.getByRole('columnheader')
  await page.setViewportSize({ width: 1920, height: 1000 })
  await expect(headers).toHaveText(['', 'Name', 'Kind', 'Size', 'Last modified', 'Actions'])
  await openColumns(app)
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  await dialog.getByRole('checkbox', { name: 'Kind' }).uncheck()
  await page.keyboard.press('Escape')
  await expect(headers).toHaveText(['', 'Name', 'Size', 'Last modified', 'Actions'])
  await page.reload()
  await app.settled()
  await expect(headers).toHaveText(['', 'Name', 'Size', 'Last modified', 'Actions'])
  await openColumns(app)
  await dialog.getByRole('button', { name: 'Use defaults' }).click()
  await page.keyboard.press('Escape')
  await expect(headers).toHaveText(['', 'Name', 'Kind', 'Size', 'Last modified', 'Actions'])
})

test('a right click on the column headers opens what is chosen about them', async ({ app, page }) => {
  await app.grid.getByRole('columnheader', { name: 'Size' }).click({ button: 'right' })
  await expect(page.getByRole('dialog', { name: 'Columns' })).toBeVisible()
  await expect(page.getByRole('menu')).toHaveCount(0)
})

test('a column is resized by its edge and by a slider; a double click resets it', async ({ app, page }) => {
  const header = app.grid.getByRole('columnheader', { name: 'Size' })
  const widthOf = async () => Math.round((await header.boundingBox())?.width ?? 0)
  const usual = await widthOf()
  const edge = header.locator('> hr')
  const box = await edge.boundingBox()
  if (!box) throw new Error('the column has no edge')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 60, y, { steps: 4 })
  await page.mouse.up()
  await expect.poll(widthOf).toBe(usual + 60)
  await edge.dblclick()
  await expect.poll(widthOf).toBe(usual)
  await openColumns(app)
  await page.getByRole('slider', { name: 'Width of the column Size' }).fill('240')
  await page.keyboard.press('Escape')
  await expect.poll(widthOf).toBe(240)
})
