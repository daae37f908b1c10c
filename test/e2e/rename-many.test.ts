import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { type Corner, expect, test } from './fixtures.ts'

const plant = (corner: Corner, names: readonly string[]) =>
  Promise.all(names.map(name => writeFile(join(corner.disk, name), name)))

/** The new names in the preview. */
const newNames = (dialog: Locator) => dialog.getByRole('listitem').filter({ has: dialog.page().locator('ins') })

test('several items are renamed by steps, as the preview shows, and undone as one', async ({ app, page, corner }) => {
  await plant(corner, ['IMG_1.JPG', 'IMG_2.JPG', 'IMG_3.JPG'])
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('F2')
  const { dialog } = app
  await expect(dialog.getByRole('heading', { name: 'Rename 3 items' })).toBeVisible()
  await expect(dialog.getByLabel('Find')).toBeFocused()
  await page.keyboard.type('IMG_')
  await dialog.getByLabel('Replace with').fill('Holiday ')
  await dialog.getByRole('button', { name: 'Add step' }).click()
  await page.getByRole('menuitem', { name: 'Extension' }).click()
  await expect(newNames(dialog).first()).toContainText('Holiday 1.jpg')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Rename 3 items' }).click()
  await expect(page.getByText('Renamed 3 items')).toBeVisible()
  await expect
    .poll(async () => (await readdir(corner.disk)).sort())
    .toEqual(['Holiday 1.jpg', 'Holiday 2.jpg', 'Holiday 3.jpg'])
  await expect(app.row('Holiday 1.jpg')).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['IMG_1.JPG', 'IMG_2.JPG', 'IMG_3.JPG'])
})

test('a name and a number for all items is one choice', async ({ app, page, corner }) => {
  await plant(corner, ['b.jpg', 'a.jpg'])
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('F2')
  const { dialog } = app
  await dialog.getByRole('button', { name: 'Add step' }).click()
  await page.getByRole('menuitem', { name: 'Name and number' }).click()
  await expect(dialog.getByLabel('Find')).toBeHidden()
  await expect(dialog.getByLabel('Pattern')).toBeFocused()
  await page.keyboard.type('Holiday')
  await dialog.getByRole('button', { name: 'Rename 2 items' }).click()
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['Holiday 001.jpg', 'Holiday 002.jpg'])
})

test('names that other items have are reported, and can be left out', async ({ app, page, corner }) => {
  await plant(corner, ['a1.txt', 'a2.txt', 'b2.txt'])
  await app.openFolder(corner.path)
  await app.row('a1.txt').click()
  await app.row('a2.txt').click({ modifiers: ['Control'] })
  await page.keyboard.press('F2')
  const { dialog } = app
  await dialog.getByLabel('Find').fill('a')
  await dialog.getByLabel('Replace with').fill('b')
  await expect(dialog.getByText("1 name can't be used")).toBeVisible()
  await expect(dialog.getByText('Something named “b2.txt” is already here.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Rename 2 items' })).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByRole('button', { name: 'Leave those out' }).click()
  await dialog.getByRole('button', { name: 'Rename 1 item' }).click()
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['a2.txt', 'b1.txt', 'b2.txt'])
  expect(await readFile(join(corner.disk, 'b2.txt'), 'utf8')).toBe('b2.txt')
})

test('two names are swapped by an expression', async ({ app, page, corner }) => {
  await plant(corner, ['1-2.txt', '2-1.txt'])
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('F2')
  const { dialog } = app
  await dialog.getByRole('button', { name: 'Add step' }).click()
  await page.getByRole('menuitem', { name: 'Regular expression' }).click()
  await dialog.getByLabel('Find').fill('(\\d')
  await expect(dialog.getByText('This is not a valid expression or replacement.')).toBeVisible()
  await dialog.getByLabel('Find').fill('(\\d)-(\\d)')
  await dialog.getByLabel('Replace with').fill('$2-$1')
  await expect(newNames(dialog)).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Rename 2 items' }).click()
  await expect(page.getByText('Renamed 2 items')).toBeVisible()
  expect(await readFile(join(corner.disk, '1-2.txt'), 'utf8')).toBe('2-1.txt')
  expect(await readFile(join(corner.disk, '2-1.txt'), 'utf8')).toBe('1-2.txt')
  expect(await readdir(corner.disk)).toHaveLength(2)
})

test('steps are saved under a name, used again and deleted', async ({ app, page, corner }) => {
  await plant(corner, ['a.txt', 'b.txt'])
  await app.openFolder(corner.path)
  const open = async () => {
    await page.keyboard.press('Control+a')
    await page.keyboard.press('F2')
  }
  const { dialog } = app
  await open()
  await dialog.getByLabel('Find').fill('a')
  await dialog.getByRole('button', { name: 'Saved steps' }).click()
  await page.getByRole('menuitem', { name: 'Save these steps…' }).click()
  await dialog.getByLabel('Name of these steps').fill('Mine')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Saved steps' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await app.openFolder(corner.path)
  await open()
  await dialog.getByRole('button', { name: 'Saved steps' }).click()
  await page.getByRole('menuitem', { name: 'Mine', exact: true }).click()
  await expect(dialog.getByLabel('Find')).toHaveValue('a')
  await dialog.getByRole('button', { name: 'Saved steps' }).click()
  await page.getByRole('menuitem', { name: 'Delete “Mine”' }).click()
  await dialog.getByRole('button', { name: 'Saved steps' }).click()
  await expect(page.getByRole('menuitem', { name: 'Mine', exact: true })).toHaveCount(0)
})

test('on a phone the steps are above the preview, and nothing is cut off', async ({ app, page, corner }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await plant(corner, [
    'a-very-long-name-of-a-photo-from-a-holiday-1.jpg',
    'a-very-long-name-of-a-photo-from-a-holiday-2.jpg',
  ])
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('F2')
  const { dialog } = app
  await dialog.getByLabel('Find').fill('photo')
  await dialog.getByLabel('Replace with').fill('picture')
  const [steps, preview] = [await dialog.getByLabel('Find').boundingBox(), await newNames(dialog).first().boundingBox()]
  expect(preview?.y ?? 0).toBeGreaterThan(steps?.y ?? 0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await expectAccessible(page)
})
