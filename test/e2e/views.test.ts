import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call } from '../api/client.ts'
import { linkTo } from '../api/links-client.ts'
import { expectAccessible, expectNoSidewaysScroll } from './axe.ts'
import { expect, test } from './fixtures.ts'

/** A one-pixel image. */
const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const NAMES = Array.from({ length: 10 }, (_, index) => `file ${index}.bin`)

test.beforeEach(async ({ corner }) => {
  await mkdir(join(corner.disk, 'folder'))
  for (const name of NAMES) await writeFile(join(corner.disk, name), Buffer.from([0, 1]))
})

test.afterEach(async ({ server, token }) => {
  const body = JSON.stringify({ what: 'user', which: ['viewMode'], data: { id: 1, viewMode: 'list' } })
  await call(server, '/api/users/1', { method: 'PUT', token, body, headers: { 'Content-Type': 'application/json' } })
})

test('the view of a folder is chosen in its bar or with a key, and is kept for it and for those below', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  await expect(app.grid.getByRole('columnheader', { name: 'Name' })).toBeVisible()
  const views = page.getByRole('group', { name: 'View' })
  await expect(views.getByRole('button', { pressed: true })).toHaveAccessibleName('List')
  await views.getByRole('button', { name: 'Mosaic' }).focus()
  await page.keyboard.press('Enter')
  await expect(app.grid.getByRole('columnheader')).toHaveCount(0)
  await expect(views.getByRole('button', { pressed: true })).toHaveAccessibleName('Mosaic')
  await page.reload()
  await app.settled()
  await expect(app.grid.getByRole('columnheader')).toHaveCount(0)
  await mkdir(join(corner.disk, 'folder/below'))
  await app.openFolder(`${corner.path}/folder`)
  await expect(app.row('below')).toBeVisible()
  await expect(app.grid.getByRole('columnheader')).toHaveCount(0)
  await app.openFolder('')
  await expect(app.grid.getByRole('columnheader', { name: 'Name' })).toBeVisible()
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+Shift+Digit1')
  await expect(app.grid.getByRole('columnheader', { name: 'Name' })).toBeVisible()
})

test('folders come first, or are among the files, as chosen for a folder with the keyboard', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'folder/zoo'))
  await writeFile(join(corner.disk, 'folder/a.txt'), '')
  await utimes(join(corner.disk, 'folder'), new Date('2001-01-01'), new Date('2001-01-01'))
  await app.openFolder(corner.path)
  const sort = page.getByRole('button', { name: 'Sort' })
  const option = page.getByRole('menuitemcheckbox', { name: 'Folders first' })
  await sort.click()
  await page.getByRole('menuitemradio', { name: 'Date, newest first' }).click()
  await expect.poll(async () => (await app.names()).at(-1)).toBe('folder')
  await sort.press('Enter')
  await expect(option).not.toBeChecked()
  await expectAccessible(page)
  await page.keyboard.press('End')
  await expect(option).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await app.names())[0]).toBe('folder')
  await page.reload()
  await app.settled()
  await expect.poll(async () => (await app.names())[0]).toBe('folder')

  await sort.click()
  await page.getByRole('menuitemradio', { name: 'Name, A to Z' }).click()
  await sort.click()
  await expect(option).toBeChecked()
  await option.click()
  await expect.poll(async () => (await app.names()).at(-1)).toBe('folder')
  await app.openFolder(`${corner.path}/folder`)
  await expect.poll(() => app.names()).toEqual(['a.txt', 'zoo'])
})

test('a shared item has its mark in every view', async ({ app, page, corner, server, token }) => {
  await linkTo(server, token, `${corner.path}/folder/`)
  await app.openFolder(corner.path)
  for (const digit of [1, 2, 3]) {
    await page.keyboard.press(`Control+Shift+Digit${digit}`)
    await expect(app.row('folder').getByRole('img', { name: 'Shared by link' })).toBeVisible()
    await expect(app.row('file 1.bin').getByRole('img', { name: 'Shared by link' })).toHaveCount(0)
  }
})

test('the view of the root is the user’s setting; one that the server fails to save is reverted, with the reason', async ({
  app,
  page,
}) => {
  await app.openFolder('')
  const saved = page.waitForResponse(response => response.url().includes('/api/users/'))
  await page.keyboard.press('Control+Shift+Digit2')
  await expect(app.grid.getByRole('columnheader')).toHaveCount(0)
  expect((await saved).ok()).toBe(true)
  await page.keyboard.press('Control+Shift+Digit1')
  await expect(app.grid.getByRole('columnheader', { name: 'Name' })).toBeVisible()
  await page.route('**/api/users/*', route => route.fulfill({ status: 403, body: '403 Forbidden' }))
  await page.keyboard.press('Control+Shift+Digit2')
  await expect(page.getByRole('alert').filter({ hasText: "You don't have permissions" })).toBeVisible()
  await expect(app.grid.getByRole('columnheader', { name: 'Name' })).toBeVisible()
})

test('among tiles the arrows move in two dimensions', async ({ app, page, corner }) => {
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+Shift+Digit2')
  await expect(app.grid.getByRole('columnheader')).toHaveCount(0)
  await app.row('folder').click()
  const top = async (name: string) => (await app.row(name).boundingBox())?.y
  await page.keyboard.press('ArrowRight')
  await expect(app.row('file 0.bin')).toBeFocused()
  await expect.poll(async () => (await top('file 0.bin')) === (await top('folder'))).toBe(true)
  await page.keyboard.press('ArrowDown')
  await expect(app.row('file 3.bin')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => app.selected()).toEqual(['file 2.bin'])
  await page.keyboard.press('Shift+ArrowUp')
  await expect.poll(() => app.selected()).toEqual(['folder', 'file 0.bin', 'file 1.bin', 'file 2.bin'])
})

test('cards have the specified size, and fewer fit a line of a small window', async ({ app, page, corner }) => {
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+Shift+Digit2')
  const size = async () => (await app.row('folder').boundingBox()) ?? { width: 0, height: 0 }
  await expect.poll(async () => (await size()).height).toBe(72)
  await expect.poll(async () => (await size()).width).toBeGreaterThanOrEqual(280)
  await page.setViewportSize({ width: 500, height: 700 })
  const left = async (name: string) => (await app.row(name).boundingBox())?.x
  await expect.poll(async () => (await left('file 0.bin')) === (await left('folder'))).toBe(true)
})

test('images have thumbnails', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'a picture.png'), IMAGE)
  await writeFile(join(corner.disk, 'broken.png'), 'no picture at all')
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+Shift+Digit3')
  const thumbnail = app.row('a picture.png').locator('img')
  await expect.poll(() => thumbnail.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
  await expect(app.row('broken.png').locator('img')).toHaveCount(0)
})

test('Space previews a file', async ({ app, page, corner }) => {
  await app.openFolder(corner.path)
  await app.row('file 3.bin').click()
  await page.keyboard.press('Space')
  await app.isAt(`/files${corner.path}/file 3.bin`)
})

test('a rubber band selects the items it touches, with Ctrl in addition to the selection', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  const box = async (name: string) => (await app.row(name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const draw = async (from: string, to: string) => {
    const [start, end] = [await box(from), await box(to)]
    await page.mouse.move(start.x + 500, start.y + 10)
    await page.mouse.down()
    await page.mouse.move(start.x + 520, start.y + 20)
    await page.mouse.move(end.x + 700, end.y + 10, { steps: 4 })
    await page.mouse.up()
  }
  await draw('file 1.bin', 'file 3.bin')
  await expect.poll(() => app.selected()).toEqual(['file 1.bin', 'file 2.bin', 'file 3.bin'])
  await page.keyboard.down('Control')
  await draw('file 6.bin', 'file 5.bin')
  await page.keyboard.up('Control')
  await expect
    .poll(() => app.selected())
    .toEqual(['file 1.bin', 'file 2.bin', 'file 3.bin', 'file 5.bin', 'file 6.bin'])
  const last = await box('file 9.bin')
  await page.mouse.click(last.x + 300, last.y + last.height + 12)
  await expect.poll(() => app.selected()).toEqual([])
})

test('a selection is cleared when the user leaves the folder and returns before the other one has loaded', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  await page.route('**/api/resources/**/folder/', () => undefined)
  await app.row('file 1.bin').click()
  await app.row('folder').click({ modifiers: ['Control'] })
  await expect.poll(() => app.selected()).toHaveLength(2)
  await page.keyboard.press('Enter')
  await app.isAt(`/files${corner.path}/folder/`)
  await page.goBack()
  await app.isAt(`/files${corner.path}/`)
  await expect(app.row('file 1.bin')).toBeVisible()
  await expect.poll(() => app.selected()).toEqual([])
})

test('the bar of a folder names Upload, has each command once, and fits a tablet', async ({ app, page, corner }) => {
  await page.setViewportSize({ width: 768, height: 1024 })
  await app.openFolder(corner.path)
  await expect(app.row('folder')).toBeVisible()
  await expect(app.button('Upload')).toHaveText('Upload')
  await expect(app.button('New folder')).toHaveCount(0)
  const before = await app.button('Upload').boundingBox()
  await page.reload()
  await expect(app.row('folder')).toBeVisible()
  const after = await app.button('Upload').boundingBox()
  expect(after?.y).toBe(before?.y)
  // The first visit can be set in the fallback font, whose letters differ by a pixel or two.
  expect(Math.abs((after?.x ?? 0) - (before?.x ?? 99))).toBeLessThan(5)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await app.button('Upload').click()
  await expect(app.dialog).toBeVisible()
})
