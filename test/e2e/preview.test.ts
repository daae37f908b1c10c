import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { App } from './app.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { type Corner, expect, test } from './fixtures.ts'

/** A single-coloured image. */
async function addImage(corner: Corner, name: string, width = 400, height = 300): Promise<void> {
  const image = sharp({ create: { width, height, channels: 3, background: '#2a7' } })
  await writeFile(join(corner.disk, name), await image.png().toBuffer())
}

/** The overlays above the listing. */
const layer = (page: Page) => page.locator('body > main')
const heading = (page: Page) => layer(page).getByRole('heading', { level: 1 })
const image = (page: Page, name: string) => layer(page).getByRole('img', { name, exact: true })

/** An image appears once the server has resized it, which takes time at first. */
const isShown = (page: Page, name: string) => expect(image(page, name)).toBeVisible({ timeout: 20_000 })

const fitButton = (page: Page) => page.getByRole('button', { name: 'Fit', exact: true })
/** The scale of the image's own pixels. */
const isScale = (page: Page, percent: number, timeout = 20_000) =>
  expect(page.getByRole('button', { name: /Actual size/ })).toHaveText(new RegExp(`^${percent}%`), { timeout })

/** Clicks twice until that is fast enough to count as a double click. */
const clickTwice = (page: Page, percent: number) =>
  expect(async () => {
    await page.mouse.dblclick(640, 350)
    await isScale(page, percent, 1000)
  }).toPass()

/** Three images, a text between them, and a folder, which Next and Previous skip. */
async function fill(corner: Corner): Promise<void> {
  await mkdir(join(corner.disk, 'folder'))
  for (const name of ['a.png', 'b.png', 'd.png']) await addImage(corner, name)
  await writeFile(join(corner.disk, 'c.txt'), 'text')
}

async function openImage(app: App, corner: Corner, name: string): Promise<void> {
  await app.openFolder(corner.path)
  await app.row(name).dblclick()
  await isShown(app.page, name)
}

test('images are browsed with the mouse, and closing returns to the row viewed last', async ({ app, page, corner }) => {
  await fill(corner)
  await openImage(app, corner, 'a.png')
  await expect(page.getByText('1 / 4')).toBeVisible()
  await expect(app.button('Previous')).toHaveCount(0)
  await app.button('Next').click()
  await isShown(page, 'b.png')
  await app.button('Next').click()
  await expect(heading(page)).toHaveText('c.txt')
  await app.button('Next').click()
  await isShown(page, 'd.png')
  await expect(page.getByText('4 / 4')).toBeVisible()
  await expect(app.button('Next')).toHaveCount(0)
  await app.button('Previous').click()
  await app.button('Previous').click()
  await expect(heading(page)).toHaveText('b.png')
  await app.button('Close').click()
  await app.isAt(`/files${corner.path}/`)
  await expect(app.row('b.png')).toBeFocused()
  await expect.poll(() => app.selected()).toEqual([])
})

test('images are browsed with the keyboard alone', async ({ app, page, corner }) => {
  await fill(corner)
  await app.openFolder(corner.path)
  await app.row('folder').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await isShown(page, 'a.png')
  await page.keyboard.press('ArrowRight')
  await isShown(page, 'b.png')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('c.txt')
  await page.keyboard.press('Enter')
  await isShown(page, 'd.png')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await isShown(page, 'b.png')
  await page.keyboard.press('Escape')
  await expect(app.row('b.png')).toBeFocused()
})

test('closing restores the scroll position in a long folder', async ({ app, page, corner }) => {
  const names = Array.from({ length: 200 }, (_, at) => `file ${String(at).padStart(3, '0')}.bin`)
  for (const name of names) await writeFile(join(corner.disk, name), Buffer.from([0]))
  await app.openFolder(corner.path)
  await app.row('file 000.bin').click()
  await app.grid.evaluate(grid => grid.scrollTo({ top: 4000 }))
  await expect(app.row('file 105.bin')).toBeVisible()
  await app.row('file 105.bin').dblclick()
  await expect(page.getByText('No preview')).toBeVisible()
  const before = await app.grid.evaluate(grid => grid.scrollTop)
  await page.goBack()
  await expect(app.row('file 105.bin')).toBeFocused()
  await expect.poll(() => app.grid.evaluate(grid => grid.scrollTop)).toBe(before)
})

test('thumbnails of the listing do not delay the open file, and load when it is closed', async ({
  app,
  page,
  corner,
}) => {
  const disk = join(corner.disk, 'inner')
  await mkdir(disk)
  await addImage({ ...corner, disk }, 'a.png')
  await writeFile(join(disk, 'b.bin'), Buffer.from([0]))
  // A page that is just opened has not preloaded its images.
  await app.openFolder(corner.path)
  await page.route('**/preview/thumb/**', () => {})
  const asked = page.waitForRequest('**/preview/thumb/**')
  await app.row('inner').dblclick()
  await asked
  const given = page.waitForEvent('requestfailed', request => request.url().includes('/preview/thumb/'))
  await app.row('b.bin').dblclick()
  await given
  await page.unroute('**/preview/thumb/**')
  await app.button('Close').click()
  await expect(app.row('a.png').locator('[data-loaded]')).toBeVisible()
})

test('next and previous follow the order of the listing', async ({ app, page, corner }) => {
  await fill(corner)
  await app.openFolder(corner.path)
  await app.grid.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect.poll(async () => (await app.names()).at(-1)).toBe('a.png')
  await app.row('b.png').dblclick()
  await app.button('Next').click()
  await expect(heading(page)).toHaveText('a.png')
  await app.button('Close').click()
  await app.grid.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect.poll(async () => (await app.names()).at(-1)).toBe('d.png')
})

test('an image opened by its address has neighbours, and closes to the folder', async ({ app, page, corner }) => {
  await fill(corner)
  await app.open(`/files${corner.path}/b.png`)
  await isShown(page, 'b.png')
  await expect(page.getByText('2 / 4')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(heading(page)).toHaveText('c.txt')
  await page.keyboard.press('Escape')
  await app.isAt(`/files${corner.path}/`)
  await expect(app.row('c.txt')).toBeFocused()
})

test('a double click cycles through the scales, and keys and buttons go by quarters', async ({ app, page, corner }) => {
  await addImage(corner, 'a.png')
  await openImage(app, corner, 'a.png')
  await isScale(page, 100)
  for (const shown of [200, 400, 100]) {
    await clickTwice(page, shown)
  }
  await page.keyboard.press('+')
  await isScale(page, 125)
  await page.keyboard.press('-')
  await page.keyboard.press('-')
  await isScale(page, 75)
  await page.keyboard.press('0')
  await isScale(page, 100)
  for (let step = 0; step < 5; step += 1) await app.button('Zoom out').click()
  await isScale(page, 25)
  await page.mouse.move(640, 300)
  await page.mouse.wheel(0, -100)
  await isScale(page, 50)
})

test('a zoomed image is panned by dragging', async ({ app, page, corner }) => {
  await addImage(corner, 'a.png', 2000, 1500)
  await openImage(app, corner, 'a.png')
  await isScale(page, 45)
  await expect(fitButton(page)).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('1')
  await isScale(page, 100)
  await page.keyboard.press('0')
  await clickTwice(page, 89)
  const at = () => image(page, 'a.png').evaluate(element => element.getBoundingClientRect().x)
  const before = await at()
  await page.mouse.move(640, 350)
  await page.mouse.down()
  await page.mouse.move(560, 350, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => Math.round((await at()) - before)).toBe(-80)
})

test('the arrows hide without user activity, but not the focused one', async ({ app, page, corner }) => {
  await fill(corner)
  await openImage(app, corner, 'b.png')
  const next = app.button('Next')
  const shown = () => next.evaluate(element => getComputedStyle(element).opacity)
  await page.mouse.move(640, 200)
  await expect.poll(shown).toBe('0')
  await page.mouse.move(640, 220)
  await expect.poll(shown).toBe('1')
  await page.keyboard.press('Tab')
  await next.focus()
  await expect.poll(() => app.button('Previous').evaluate(element => getComputedStyle(element).opacity)).toBe('0')
  expect(await shown()).toBe('1')
})

test('an image that cannot be shown says so and can be downloaded', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'bad.png'), 'no picture')
  await app.openFolder(corner.path)
  await app.row('bad.png').dblclick()
  await expect(page.getByText("The file is damaged, or its type doesn't match its name.")).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('bad.png')
})

test('XSS-01 a script in a drawing does not run', async ({ app, page, corner }) => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><script>parent.ran = 1; ran = 1</script><rect width="90" height="90"/></svg>'
  await writeFile(join(corner.disk, 'a.svg'), svg)
  await openImage(app, corner, 'a.svg')
  expect(await page.evaluate('typeof ran')).toBe('undefined')
})

test('a renamed file stays open', async ({ app, page, corner }) => {
  await fill(corner)
  await openImage(app, corner, 'a.png')
  await page.keyboard.press('F2')
  await expect(app.dialog).toBeVisible()
  await app.dialog.getByRole('textbox').fill('z.png')
  await page.keyboard.press('Enter')
  await app.isAt(`/files${corner.path}/z.png`)
  await isShown(page, 'z.png')
  await expect(page.getByText('4 / 4')).toBeVisible()
})

test('after a deletion the neighbour is shown, and after the last one the folder', async ({ app, page, corner }) => {
  for (const name of ['a.png', 'b.png']) await addImage(corner, name)
  await openImage(app, corner, 'a.png')
  await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Delete', exact: true }).click()
  await app.confirmWithoutTrash()
  await app.isAt(`/files${corner.path}/b.png`)
  await app.deleteByKey()
  await app.isAt(`/files${corner.path}/`)
  await expect(page.getByText('It feels lonely here…')).toBeVisible()
})

test('details, links and downloads are those of the file on the screen', async ({ app, page, corner }) => {
  await fill(corner)
  await openImage(app, corner, 'b.png')
  const actions = page.getByRole('toolbar', { name: 'Actions' })
  await actions.getByRole('button', { name: 'Details' }).click()
  const details = page.locator('body > main').getByRole('complementary', { name: 'Details' })
  await expect(details.getByText('400 × 300')).toBeVisible()
  await expect(details.getByText('/b.png')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(details.getByText('/a.png')).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('i')
  await expect(details).toHaveCount(0)
  await actions.getByRole('button', { name: 'Share' }).click()
  await expect(app.dialog.getByLabel('Expires')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(app.dialog).toHaveCount(0)
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')])
  expect(download.suggestedFilename()).toBe('b.png')
})

test('a file deleted in the meantime is reported', async ({ app, page, corner }) => {
  await addImage(corner, 'a.png')
  await app.openFolder(corner.path)
  await rm(join(corner.disk, 'a.png'))
  await app.row('a.png').dblclick()
  await expect(page.getByText('a.png was deleted or moved.').first()).toBeVisible()
})

test('a changed image is shown in its current version', async ({ app, page, corner }) => {
  await addImage(corner, 'a.png')
  await openImage(app, corner, 'a.png')
  const natural = () => image(page, 'a.png').evaluate((element: HTMLImageElement) => element.naturalWidth)
  await expect.poll(() => natural()).toBe(400)
  await page.keyboard.press('Escape')
  await addImage(corner, 'a.png', 200, 100)
  await utimes(join(corner.disk, 'a.png'), new Date(), new Date(Date.now() + 60_000))
  await app.button('Refresh').click()
  await expect.poll(() => app.row('a.png').textContent()).not.toContain('1.2 KiB')
  await app.row('a.png').dblclick()
  await expect.poll(natural).toBe(200)
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  /** One finger, as the browser itself reports it. */
  async function swipe(page: Page, from: [number, number], to: [number, number]): Promise<void> {
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: points })
    await touch('touchStart', [{ x: from[0], y: from[1] }])
    for (const part of [0.3, 0.6, 1]) {
      const x = from[0] + (to[0] - from[0]) * part
      await touch('touchMove', [{ x, y: from[1] + (to[1] - from[1]) * part }])
    }
    await touch('touchEnd', [])
  }

  test('swiping moves to the neighbours and closes, two taps zoom', async ({ app, page, corner }) => {
    await fill(corner)
    await app.open(`/files${corner.path}/a.png`)
    await isShown(page, 'a.png')
    await swipe(page, [300, 400], [100, 410])
    await isShown(page, 'b.png')
    await swipe(page, [300, 400], [100, 410])
    await expect(page.getByRole('textbox', { name: 'Contents of c.txt' })).toHaveText('text')
    for (const name of ['b.png', 'a.png']) {
      await swipe(page, [100, 400], [300, 410])
      await isShown(page, name)
    }
    await expect(async () => {
      await page.touchscreen.tap(200, 420)
      await page.touchscreen.tap(200, 420)
      await isScale(page, 195, 1000)
    }).toPass()
    await swipe(page, [300, 400], [100, 410])
    await expect(heading(page)).toHaveText('a.png')
    // The browser may take a tap right after a swipe for the end of it.
    await expect(async () => {
      await fitButton(page).tap()
      await isScale(page, 98, 500)
    }).toPass()
    await swipe(page, [200, 300], [210, 500])
    await app.isAt(`/files${corner.path}/`)
  })

  test('the actions open as a menu', async ({ app, page, corner }) => {
    await fill(corner)
    await app.open(`/files${corner.path}/a.png`)
    await isShown(page, 'a.png')
    await layer(page).getByRole('button', { name: 'Actions' }).tap()
    await page.getByRole('menuitem', { name: 'Rename' }).tap()
    await expect(app.dialog.getByRole('textbox')).toHaveValue('a.png')
  })
})
