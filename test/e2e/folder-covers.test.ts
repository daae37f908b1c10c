import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'

const PHOTO = join(import.meta.dirname, '../corpus/halves.tif')

test('folders among tiles and in the gallery show the images in them, and an empty one its icon', async ({
  app,
  page,
  corner,
}) => {
  for (const folder of ['many', 'one', 'none']) await mkdir(join(corner.disk, folder))
  for (const name of ['a.tif', 'b.tif', 'c.tif', 'd.tif', 'e.tif'])
    await copyFile(PHOTO, join(corner.disk, 'many', name))
  await copyFile(PHOTO, join(corner.disk, 'one', 'cover.tif'))
  await app.openFolder(corner.path)
  for (const digit of [2, 3]) {
    await page.keyboard.press(`Control+Shift+Digit${digit}`)
    await expect(app.row('many').locator('[data-loaded] > img')).toHaveCount(4)
    await expect(app.row('one').locator('[data-loaded] > img')).toHaveCount(1)
    await expect(app.row('none').locator('img')).toHaveCount(0)
  }
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Control+Shift+Digit1')
  await expect(app.grid.getByRole('columnheader', { name: 'Name' })).toBeVisible()
  await expect(app.row('many').locator('img')).toHaveCount(0)
})
