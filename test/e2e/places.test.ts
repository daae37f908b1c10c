import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessibleInBoth } from './axe.ts'
import { hold } from './carry.ts'
import { expect, test } from './fixtures.ts'

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' })
const tree = (page: Page) => sidebar(page).getByRole('tree', { name: 'Folders' })
const node = (page: Page, name: string) => tree(page).getByRole('treeitem', { name, exact: true })

test('the tree shows where one is, leads elsewhere by keys, and follows what happens to folders', async ({
  app,
  page,
  corner,
}) => {
  for (const name of ['north', 'south/island', 'west']) await mkdir(join(corner.disk, name), { recursive: true })
  await app.openFolder(`${corner.path}/south/island`)
  await expect(node(page, 'island')).toHaveAttribute('aria-current', 'page')
  await expect(node(page, 'south')).toHaveAttribute('aria-expanded', 'true')
  await expectAccessibleInBoth(page)

  await node(page, 'island').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(node(page, 'south')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(node(page, 'island')).toHaveCount(0)
  await page.keyboard.press('w')
  await expect(node(page, 'west')).toBeFocused()
  await page.keyboard.press('Enter')
  await app.isAt(`/files${corner.path}/west/`)
  await expect(node(page, 'west')).toHaveAttribute('aria-current', 'page')

  await app.breadcrumb.getByRole('link', { name: corner.name }).click()
  await app.row('north').click()
  await page.keyboard.press('Delete')
  await expect(node(page, 'north')).toHaveCount(0)
  await mkdir(join(corner.disk, 'east'))
  await expect(node(page, 'east')).toBeVisible()
  await rm(join(corner.disk, 'east'), { recursive: true })
  await expect(node(page, 'east')).toHaveCount(0)
})

test('a dragged item opens the folders of the tree, moves into one, and gets its star in the sidebar', async ({
  app,
  page,
  corner,
}) => {
  const starred = `starred ${corner.name}`
  await mkdir(join(corner.disk, 'outer/inner'), { recursive: true })
  await mkdir(join(corner.disk, starred))
  await writeFile(join(corner.disk, 'carried.txt'), '')
  const loaded = page.waitForResponse(response => /\/folder-idle-[^/]*\.js/.test(response.url()))
  await app.openFolder(corner.path)
  await loaded
  await node(page, corner.name).focus()
  await page.keyboard.press('ArrowRight')
  await hold(page, app.row('carried.txt').getByRole('link'), node(page, 'outer'))
  await node(page, 'inner').hover()
  await node(page, 'inner').hover()
  await page.mouse.up()
  await expect.poll(() => existsSync(join(corner.disk, 'outer/inner/carried.txt'))).toBe(true)
  await app.isAt(`/files${corner.path}/`)

  await hold(page, app.row(starred).getByRole('link'), sidebar(page).getByRole('link', { name: 'Starred' }))
  await page.mouse.up()
  const favourite = sidebar(page).getByRole('list', { name: 'Starred' }).getByRole('link', { name: starred })
  await favourite.click()
  await app.isAt(`/files${corner.path}/${starred}/`)
  await app.breadcrumb.getByRole('link', { name: corner.name, exact: true }).click()
  await app.row(starred).click()
  await page.keyboard.press('Control+d')
  await expect(favourite).toHaveCount(0)
})

test('the sidebar is resized with keys and by dragging, restored with a double click, and nothing moves as it loads', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'some folder'))
  await page.addInitScript(watchShifts)
  await app.openFolder(corner.path)
  await expect(tree(page)).toBeVisible()
  expect(await page.evaluate(() => Number(document.documentElement.dataset.shift ?? 0))).toBeLessThan(0.001)

  const edge = sidebar(page).getByRole('separator', { name: 'Sidebar' })
  const width = async () => (await sidebar(page).boundingBox())?.width ?? 0
  await edge.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(width).toBe(272)
  await page.keyboard.press('End')
  await expect.poll(width).toBe(400)
  await page.mouse.move(400, 300)
  await page.mouse.down()
  await page.mouse.move(230, 300, { steps: 3 })
  await expect.poll(width).toBe(230)
  await page.mouse.move(310, 300, { steps: 3 })
  await page.mouse.up()
  await expect.poll(width).toBe(310)
  await page.mouse.move(310, 400)
  await page.mouse.down()
  await page.mouse.move(350, 400, { steps: 3 })
  await page.mouse.up()
  await expect.poll(width).toBe(350)
  await page.reload()
  await expect.poll(width).toBe(350)
  await edge.dblclick()
  await expect.poll(width).toBe(248)
})

/** Runs in the page: adds up the layout shifts. */
function watchShifts(): void {
  let total = 0
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) total += (entry as PerformanceEntry & { value: number }).value
    document.documentElement.dataset.shift = `${total}`
  }).observe({ type: 'layout-shift', buffered: true })
}
