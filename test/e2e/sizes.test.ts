import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { startServer } from '../api/harness.ts'
import { App } from './app.ts'
import { expectAccessible, expectNoSidewaysScroll } from './axe.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

test('disk usage is shown as a map and a table, with the keyboard alone, also on a narrow screen', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'films/old'), { recursive: true })
  await writeFile(join(corner.disk, 'films/old/long.mp4'), Buffer.alloc(300_000, 1))
  await writeFile(join(corner.disk, 'films/short.mp4'), Buffer.alloc(100_000, 1))
  await writeFile(join(corner.disk, 'note.txt'), Buffer.alloc(2000, 1))
  await app.openFolder(corner.path)
  const press = async (button: Locator) => {
    await button.focus()
    await page.keyboard.press('Enter')
  }
  await press(page.getByRole('navigation', { name: 'Main navigation' }).getByRole('button', { name: 'Storage usage' }))
  const map = page.getByRole('toolbar', { name: 'Storage usage' })
  const tiles = map.getByRole('button')
  await expect(tiles.first()).toHaveAccessibleName(/films.*390.6.KiB/)
  await expect(page.getByRole('row', { name: /note\.txt/ })).toContainText('2\u00a0KiB')
  const [videos, note] = [await tiles.first().boundingBox(), await tiles.nth(1).boundingBox()]
  expect((videos?.width ?? 0) * (videos?.height ?? 0)).toBeGreaterThan(50 * (note?.width ?? 0) * (note?.height ?? 0))

  await tiles.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(tiles.nth(1)).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(tiles.first()).toHaveAccessibleName(/old/)
  await expect(page.getByRole('main').getByRole('status')).toContainText('1 folder, 2 files')
  await expect(page.getByRole('main').getByRole('status')).toBeFocused()
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await press(page.getByRole('main').getByRole('link', { name: corner.name, exact: true }))
  await expect(page.getByRole('row', { name: /note\.txt/ })).toBeVisible()
  await press(page.getByRole('row').getByRole('link', { name: 'films', exact: true }))
  await expect(page).toHaveURL(new RegExp(`/usage${corner.path}/films$`))
  await page.reload()
  await press(page.getByRole('main').getByRole('link', { name: 'Open' }))
  await expect(app.row('short.mp4')).toBeVisible()
})

test('the rows of folders show their sizes once the index knows them, and follow changes', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'films/old'), { recursive: true })
  await writeFile(join(corner.disk, 'films/old/long.mp4'), Buffer.alloc(300_000, 1))
  await app.openFolder(corner.path)
  await expect(app.row('films')).toBeVisible()
  // The storage usage starts the index.
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('button', { name: 'Storage usage' }).click()
  await expect(page.getByRole('row', { name: /films/ })).toContainText('293\u00a0KiB')
  await app.openFolder(`${corner.path}/films`)
  await expect(app.row('old')).toContainText('293\u00a0KiB')
  await writeFile(join(corner.disk, 'films/old/more.mp4'), Buffer.alloc(300_000, 1))
  await app.button('Refresh').click()
  await expect(app.row('old')).toContainText('585.9\u00a0KiB')
})

test('what takes the space goes to the trash from its row and comes back, and is shown in its folder', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'films'))
  await writeFile(join(corner.disk, 'films/long.mp4'), Buffer.alloc(300_000, 1))
  await writeFile(join(corner.disk, 'films/short.mp4'), Buffer.alloc(100_000, 1))
  await app.openFolder(corner.path)
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('button', { name: 'Storage usage' }).click()
  await page.getByRole('row', { name: /films/ }).getByRole('link', { name: 'films', exact: true }).click()
  const row = page.getByRole('row', { name: /long\.mp4/ })
  await expect(row.locator('[data-kind="video"]')).toBeVisible()
  const menu = page.getByRole('button', { name: 'Actions for long.mp4' })
  await menu.focus()
  await page.keyboard.press('Enter')
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await expect(row).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('status').first()).toContainText('1 file')
  expect(existsSync(join(corner.disk, 'films/long.mp4'))).toBe(false)
  await expect(page.getByRole('main').getByRole('status').first()).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await menu.click()
  await page.getByRole('menuitem', { name: 'Show in folder' }).click()
  await expect(app.row('long.mp4')).toBeFocused()
  await expect(app.row('long.mp4')).toHaveAttribute('aria-selected', 'true')
})

test('folders without a size say where sizes are, and show them once that was opened', async ({ browser }, {
  project,
}) => {
  const server = await startServer({ base: project.metadata.base })
  const context = await browser.newContext({ storageState: ANONYMOUS })
  const page = await context.newPage()
  await mkdir(join(server.root, 'films'))
  await writeFile(join(server.root, 'films/long.mp4'), Buffer.alloc(300_000, 1))
  const app = new App(page, server.url)
  await app.open('/login')
  await app.logIn(server.adminPassword)
  await expect(app.row('films')).toBeVisible()
  const size = app.grid.getByRole('columnheader', { name: 'Size' }).getByRole('button')
  await expect(size).toHaveAccessibleDescription('Open “Storage usage” to see the sizes of folders.')
  await size.focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(
    page.getByText('Open “Storage usage” to see the sizes of folders.').filter({ visible: true }),
  ).toBeVisible()
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('button', { name: 'Storage usage' }).click()
  await expect(page.getByRole('row', { name: /films/ })).toContainText('293\u00a0KiB')
  await page.goBack()
  await expect(app.row('films')).toContainText('293\u00a0KiB')
  await expect(size).toHaveAccessibleDescription('')
  await context.close()
  await server.stop()
})

test.describe('folders of known sizes', () => {
  test.beforeEach(async ({ app, page, corner }) => {
    for (const [name, size] of Object.entries({ empty: 0, large: 300_000, middle: 40_000 })) {
      await mkdir(join(corner.disk, name))
      if (size > 0) await writeFile(join(corner.disk, name, 'content.bin'), Buffer.alloc(size, 1))
    }
    await writeFile(join(corner.disk, 'film.mp4'), Buffer.alloc(100_000, 1))
    await app.openFolder(corner.path)
    await page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('button', { name: 'Storage usage' })
      .click()
    await expect(page.getByRole('row', { name: /large/ })).toContainText('293\u00a0KiB')
    await page.goBack()
    await page.reload()
    await expect(app.row('large')).toContainText('293\u00a0KiB')
  })

  test('what fills the disk is at the top when sorted by size, and one that grows takes its place', async ({
    app,
    page,
    corner,
  }) => {
    const names = app.grid.getByRole('row').locator('a')
    const size = app.grid.getByRole('columnheader', { name: 'Size' })
    await size.getByRole('button').click()
    await expect(names).toHaveText(['empty', 'middle', 'film.mp4', 'large'])
    await size.getByRole('button').click()
    await expect(size).toHaveAttribute('aria-sort', 'descending')
    await expect(names).toHaveText(['large', 'film.mp4', 'middle', 'empty'])

    await app.row('middle').locator('a').click()
    await writeFile(join(corner.disk, 'middle/more.bin'), Buffer.alloc(500_000, 1))
    await app.button('Refresh').click()
    await expect(names).toHaveText(['middle', 'large', 'film.mp4', 'empty'])
    await expect(app.row('middle')).toHaveAttribute('aria-selected', 'true')
    await app.grid.focus()
    await page.keyboard.press('ArrowDown')
    await expect(app.row('large')).toHaveAttribute('aria-selected', 'true')
  })

  test('their sizes are not requested where none is shown', async ({ app, page, corner }) => {
    const calls: string[] = []
    page.on('request', request => {
      if (request.url().includes('folders=true')) calls.push(request.url())
    })
    await app.openFolder(`${corner.path}/large`)
    await expect(app.row('content.bin')).toBeVisible()
    await app.settled()
    expect(calls).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    await app.openFolder(corner.path)
    await expect(app.row('large')).toBeVisible()
    await app.settled()
    expect(calls).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect(app.row('large')).toContainText('293\u00a0KiB')
    expect(calls).toHaveLength(1)
    await page.evaluate(() => localStorage.setItem('filigree.columns', 'modified:'))
    await page.reload()
    await expect(app.row('large')).toBeVisible()
    await app.settled()
    expect(calls).toHaveLength(1)
    await page.evaluate(() => localStorage.removeItem('filigree.columns'))
  })
})

test('sizes are in KB for a user who has chosen these units', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'note.txt'), Buffer.alloc(2000, 1))
  await app.openFolder(corner.path)
  await expect(app.row('note.txt')).toContainText('2\u00a0KiB')
  await app.open('/settings/profile')
  await page.getByLabel('Size units').selectOption('KB, MB, GB (1000)')
  await page.goBack()
  await expect(app.row('note.txt')).toContainText('2\u00a0KB')
  await app.openFolder(corner.path)
  await expect(app.row('note.txt')).toContainText('2\u00a0KB')
  await page.evaluate(() => localStorage.removeItem('filigree.units'))
})
