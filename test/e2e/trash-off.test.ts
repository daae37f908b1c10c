import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'

test.use({ serverArgs: ['--trash', 'off'] })

test('without a trash, Delete asks and says that it is permanent', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'a.txt'), 'a')
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('alertdialog', { name: 'Delete “a.txt” permanently?' })).toContainText(
    "This can't be undone.",
  )
  await app.confirmDelete()
  await expect(page.getByText('Deleted “a.txt”')).toBeVisible()
  await expect(app.button('Undo')).toHaveCount(0)
  await expect.poll(() => readdir(corner.disk)).toEqual([])
})
