import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { area, draftIsKept, expectText, startEditing, typeInstead } from './typing.ts'

const heading = (page: Page) => page.locator('body > main').getByRole('heading', { level: 1 })

test('the keys visit every file in the order of the listing, and read texts without opening the editor', async ({
  app,
  page,
  corner,
}) => {
  const files = {
    'walk a.md': '# Read me\n\n```js\nconst seen = 1 // note\n```\n',
    'walk b.csv': 'a,b\n1,2\n',
    'walk c.js': 'const a = 1\n',
    'walk d.bin': '\0',
    'walk e.zip': '',
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(corner.disk, name), content)
  await app.openFolder(corner.path)
  await app.row('walk a.md').dblclick()
  await expect(page.getByRole('heading', { name: 'Read me' })).toBeVisible()
  await expect(page.getByText('1 / 5')).toBeVisible()
  await expect(page.locator('article pre')).toHaveText('const seen = 1 // note')
  await expect(page.locator('article pre span', { hasText: 'const' })).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.keyboard.press('ArrowRight')
  await expect(heading(page)).toHaveText('walk b.csv')
  // A table uses the arrows itself.
  await page.getByRole('grid', { name: 'walk b.csv' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(heading(page)).toHaveText('walk b.csv')
  await page.keyboard.press('Alt+PageDown')
  await expectText(page, 'const a = 1\n')
  await expect(area(page)).toHaveAttribute('contenteditable', 'false')
  await expect(area(page)).toBeFocused()
  await expectAccessibleInBoth(page)
  await page.keyboard.press('ArrowRight')
  await expect(heading(page)).toHaveText('walk d.bin')
  await page.keyboard.press('ArrowRight')
  await expect(heading(page)).toHaveText('walk e.zip')
  for (const name of ['walk d.bin', 'walk c.js']) {
    await app.button('Previous').click()
    await expect(heading(page)).toHaveText(name)
  }
  await expectText(page, 'const a = 1\n')
  await page.keyboard.press('Control+f')
  await page.keyboard.type('a =')
  await expect(page.getByText('– / 1')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('– / 1')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(app.row('walk c.js')).toBeFocused()
})

test('the reading view says that there is unsaved text, and leads to it', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'unsaved.txt'), 'old')
  await app.openFolder(corner.path)
  await app.row('unsaved.txt').dblclick()
  await startEditing(page)
  await typeInstead(page, 'hours of work')
  await draftIsKept(page)
  page.on('dialog', dialog => void dialog.accept())
  await app.openFolder(corner.path)
  await app.row('unsaved.txt').dblclick()
  await expect(page.getByText('You have unsaved changes from')).toBeVisible()
  await expectText(page, 'old')
  await app.button('Show changes').click()
  await app.button('Restore').click()
  await expectText(page, 'hours of work')
})

test('Space opens a quick look and closes it, and a file deleted elsewhere is named', async ({ app, page, corner }) => {
  for (const name of ['look a.txt', 'look b.txt', 'look c.txt']) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  await app.row('look a.txt').focus()
  await page.keyboard.press('Space')
  await expectText(page, 'look a.txt')
  await page.keyboard.press('ArrowRight')
  await expectText(page, 'look b.txt')
  await rm(join(corner.disk, 'look b.txt'))
  await expect(page.getByText('look b.txt was deleted or moved.').first()).toBeVisible()
  await expect(page.getByRole('toolbar', { name: 'Actions' })).toHaveCount(0)
  await expectAccessibleInBoth(page)
  await page.keyboard.press('ArrowRight')
  await expectText(page, 'look c.txt')
  await expect(page.getByText('2 / 2')).toBeVisible()
  await page.keyboard.press('Space')
  await expect(app.row('look c.txt')).toBeFocused()
  // A file that was opened is read: Space scrolls.
  await page.keyboard.press('Enter')
  await expectText(page, 'look c.txt')
  await page.keyboard.press('Space')
  await expectText(page, 'look c.txt')
})
