import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finger, longPress, middleOf } from './finger.ts'
import { expect, test } from './fixtures.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test.beforeEach(async ({ app, corner }) => {
  await mkdir(join(corner.disk, 'folder'))
  for (const name of ['a.bin', 'b.bin', 'c.bin', 'd.bin']) await writeFile(join(corner.disk, name), Buffer.from([0]))
  await app.openFolder(corner.path)
})

test('a tap opens, a long press selects and then taps add; the bars show the selection and its actions', async ({
  app,
  page,
  corner,
}) => {
  await longPress(app.row('b.bin'))
  await expect.poll(() => app.selected()).toEqual(['b.bin'])
  await app.row('c.bin').tap()
  await expect.poll(() => app.selected()).toEqual(['b.bin', 'c.bin'])
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await expect(bar).toContainText('2 selected')
  const reach = page.getByRole('toolbar', { name: 'Actions' })
  await reach.getByRole('button', { name: 'More' }).tap()
  await expect(page.getByRole('menuitem', { name: 'Cut' })).toBeVisible()
  await page.keyboard.press('Escape')
  await reach.getByRole('button', { name: /^Delete(?! perm)/ }).tap()
  await app.confirmWithoutTrash()
  await expect(app.row('b.bin')).toHaveCount(0)
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['a.bin', 'd.bin', 'folder'])
  await app.row('folder').tap()
  await app.isAt(`/files${corner.path}/folder/`)
})

test('a finger dragged over the check boxes selects all of them', async ({ app, page }) => {
  const box = (name: string) => middleOf(app.row(name).getByRole('checkbox'))
  await longPress(app.row('a.bin'))
  await expect.poll(() => app.selected()).toEqual(['a.bin'])
  await finger(page, await box('b.bin'), 0, await box('c.bin'), await box('d.bin'))
  await expect.poll(() => app.selected()).toEqual(['a.bin', 'b.bin', 'c.bin', 'd.bin'])
})

test('Back clears the selection, and only then leaves the folder', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'folder', 'inside.bin'), Buffer.from([0]))
  await app.row('folder').tap()
  await longPress(app.row('inside.bin'))
  await expect.poll(() => app.selected()).toEqual(['inside.bin'])
  await page.goBack()
  await expect.poll(() => app.selected()).toEqual([])
  await app.isAt(`/files${corner.path}/folder/`)
  await page.goBack()
  await app.isAt(`/files${corner.path}/`)
})

test('a list has no column headers and no check boxes; selecting shows the boxes, and the menu of the folder sorts', async ({
  app,
  page,
}) => {
  const indent = async () => (await app.row('a.bin').getByRole('link').boundingBox())?.x ?? 0
  await expect(app.grid.getByRole('columnheader')).toHaveCount(0)
  await expect(app.row('a.bin').getByRole('checkbox')).toHaveCSS('opacity', '0')
  const before = await indent()
  await longPress(app.row('b.bin'))
  await expect(app.row('a.bin').getByRole('checkbox')).toHaveCSS('opacity', '1')
  await expect.poll(indent).toBe(before + 32)
  await app.button('Clear selection').tap()
  await app.button('Actions').tap()
  await page.getByRole('menuitem', { name: 'Sort' }).tap()
  await app.choice('Name, Z to A').tap()
  await expect.poll(() => app.names()).toEqual(['folder', 'd.bin', 'c.bin', 'b.bin', 'a.bin'])
})

test('the bar of one item and of several has the same buttons', async ({ app, page }) => {
  const buttons = page.getByRole('toolbar', { name: 'Actions' }).getByRole('button')
  await longPress(app.row('a.bin'))
  await expect(buttons).toHaveText(['Download', 'Share', 'Move to…', 'Delete', ''])
  await app.row('b.bin').tap()
  await expect(page.getByText('2 selected')).toBeVisible()
  await expect(buttons).toHaveText(['Download', 'Share', 'Move to…', 'Delete', ''])
})

test('the button of a row opens a sheet at the bottom, the round one creates items', async ({ app, page }) => {
  await app.row('a.bin').getByRole('button', { name: 'Actions for a.bin' }).tap()
  const menu = page.getByRole('menu', { name: 'a.bin' })
  await expect(menu).toBeVisible()
  await expect.poll(async () => (await menu.boundingBox())?.width).toBe(390)
  const bottom = async () => {
    const box = await menu.boundingBox()
    return Math.round((box?.y ?? 0) + (box?.height ?? 0))
  }
  await expect.poll(bottom).toBe(844)
  await page.keyboard.press('Escape')
  await app.button('Clear selection').tap()
  await app.button('New').tap()
  await page.getByRole('menuitem', { name: 'New folder' }).tap()
  await expect(app.dialog.getByLabel('Folder name')).toBeVisible()
})
