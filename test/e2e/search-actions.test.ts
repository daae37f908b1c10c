import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { longPress } from './finger.ts'
import { type Corner, expect, test } from './fixtures.ts'

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search files' })
const results = (page: Page) => page.getByRole('grid', { name: 'Search results' })
const result = (page: Page, name: string) => results(page).getByRole('row').filter({ hasText: name })
/** An entry of a menu; its shortcut may follow it. */
const entry = (page: Page, name: string) => page.getByRole('menuitem', { name: new RegExp(`^${name}`) })

/** Three files of one name in three folders. */
async function fill({ disk }: Corner): Promise<void> {
  await mkdir(join(disk, 'Trips/Rome'), { recursive: true })
  await mkdir(join(disk, 'Papers/holiday folder'), { recursive: true })
  for (const name of ['Trips/holiday.jpg', 'Trips/Rome/holiday two.png', 'Papers/holiday plan.pdf'])
    await writeFile(join(disk, name), 'content')
}

test.beforeEach(({ corner }) => fill(corner))

test('with the mouse: the menu of a result opens, shows, links, renames, downloads and deletes it', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  await field(page).fill('holiday')
  await result(page, 'holiday.jpg').click({ button: 'right' })
  await entry(page, 'Rename').click()
  await expect(app.dialog.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('holiday one')
  await page.keyboard.press('Enter')
  await expect(result(page, 'holiday one.jpg')).toBeVisible()
  await expect.poll(() => readdir(join(corner.disk, 'Trips'))).toContain('holiday one.jpg')

  await result(page, 'holiday plan.pdf').click({ button: 'right' })
  await entry(page, 'Details').click()
  await expect(app.dialog).toContainText('7 B')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(app.dialog).toHaveCount(0)
  await expect(result(page, 'holiday plan.pdf')).toBeFocused()

  const arrives = page.waitForEvent('download')
  await result(page, 'holiday plan.pdf').getByRole('button', { name: 'Actions for holiday plan.pdf' }).click()
  await entry(page, 'Download').click()
  expect((await arrives).suggestedFilename()).toBe('holiday plan.pdf')

  await result(page, 'holiday one.jpg').click()
  await result(page, 'holiday two.png').click({ modifiers: ['ControlOrMeta'] })
  await expect(page.getByText('2 selected')).toBeVisible()
  await result(page, 'holiday two.png').click({ button: 'right' })
  await entry(page, 'Details').click()
  await expect(app.dialog).toContainText('14 B total')
  await page.keyboard.press('Escape')
  await expect(app.dialog).toHaveCount(0)
  await result(page, 'holiday two.png').click({ button: 'right' })
  await entry(page, 'Delete(?! perm)').click()
  await app.confirmWithoutTrash()
  await expect(result(page, 'holiday two.png')).toHaveCount(0)
  await expect(result(page, 'holiday plan.pdf')).toBeVisible()
  await expect.poll(() => readdir(join(corner.disk, 'Trips'))).toEqual(['Rome'])

  await result(page, 'holiday folder').click({ button: 'right' })
  await entry(page, 'Show in folder').click()
  await app.isAt(`/files${corner.path}/Papers/`)
  await expect(app.row('holiday folder')).toBeFocused()
})

test('by keyboard alone: results are selected, downloaded as one archive, cut, and pasted elsewhere', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+f')
  await page.keyboard.type('holiday')
  await expect(result(page, 'holiday.jpg')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+a')
  await expect(results(page).locator('[aria-selected=true]')).toHaveCount(4)
  await page.keyboard.press('Escape')
  await expect(results(page).locator('[aria-selected=true]')).toHaveCount(0)
  await page.keyboard.type('holiday two')
  await expect(result(page, 'holiday two.png')).toBeFocused()
  await page.keyboard.press('Control+x')
  await expect(page.getByText('“holiday two.png” cut')).toBeVisible()

  const arrives = page.waitForEvent('download')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+s')
  await expect(app.dialog).toContainText('Download 4 items')
  await app.confirm()
  expect((await arrives).suggestedFilename()).toBe(`_${corner.name}.zip`)

  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(results(page)).toHaveCount(0)
  await page.keyboard.press('Control+v')
  await expect(app.row('holiday two.png')).toBeVisible()
  await expect.poll(() => readdir(join(corner.disk, 'Trips/Rome'))).toEqual([])
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true })

  test('the menu of a result is a sheet, and a long press selects', async ({ app, page, corner }) => {
    await app.openFolder(corner.path)
    await app.button('Search').tap()
    await field(page).fill('holiday')
    await result(page, 'holiday plan.pdf').getByRole('button').tap()
    await entry(page, 'Share').tap()
    await expect(app.dialog).toContainText('holiday plan.pdf')
    await app.dialog.getByRole('button', { name: 'Close' }).first().tap()
    await app.button('Clear selection').tap()
    await longPress(result(page, 'holiday.jpg'))
    await expect(page.getByText('1 selected')).toBeVisible()
    await result(page, 'holiday two.png').tap()
    await expect(page.getByText('2 selected')).toBeVisible()
    await expectAccessible(page)
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: /^Delete(?! perm)/ })
      .tap()
    await app.confirmWithoutTrash()
    await expect(result(page, 'holiday two.png')).toHaveCount(0)
    await expect.poll(() => readdir(join(corner.disk, 'Trips'))).toEqual(['Rome'])
  })
})
