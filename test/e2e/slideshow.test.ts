import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { linkTo } from '../api/links-client.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

/** Three images, one that cannot be shown, and a text. */
async function album(folder: string): Promise<void> {
  for (const [name, background] of Object.entries({ 'a.png': 'teal', 'c.png': 'maroon', 'e.png': 'olive' })) {
    const image = sharp({ create: { width: 600, height: 400, channels: 3, background } })
    await writeFile(join(folder, name), await image.png().toBuffer())
  }
  await writeFile(join(folder, 'b.png'), 'no image')
  await writeFile(join(folder, 'd.txt'), 'a text')
}

/**
 * Counts the steps after which an image is not on the screen at once, and the locks that keep the screen on: browsers
 * without a screen grant none.
 */
async function watch(page: Page): Promise<() => Promise<{ blanks: number; locks: number }>> {
  await page.addInitScript(() => {
    const seen = { blanks: 0, locks: 0 }
    Object.assign(globalThis, { seen })
    Object.defineProperty(navigator.wakeLock, 'request', {
      value: async () => {
        seen.locks += 1
        return {
          release: async () => {
            seen.locks -= 1
          },
        }
      },
    })
    new MutationObserver(() => {
      if (document.querySelector('main img:not([alt=""], [data-loaded])')) seen.blanks += 1
    }).observe(document, { childList: true, subtree: true })
  })
  return () =>
    page.evaluate(() => {
      const { seen } = globalThis as unknown as { seen: { blanks: number; locks: number } }
      const { blanks, locks } = seen
      seen.blanks = 0
      return { blanks, locks }
    })
}

const shownIn = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const toolsIn = (page: Page) => page.getByRole('toolbar', { name: 'Slideshow' })

/** Lets the time of an image pass; the step follows once the next one has loaded. */
async function step(page: Page, name: string): Promise<void> {
  await page.clock.runFor(3000)
  await expect(shownIn(page, name)).toBeAttached({ timeout: 60_000 })
}

test('a slideshow goes from image to image without a gap, round the folder, and ends at any input', async ({
  app,
  page,
  corner,
}) => {
  test.slow()
  await album(corner.disk)
  const seen = await watch(page)
  await page.clock.install()
  await app.openFolder(corner.path)
  await app.row('a.png').dblclick()
  await expect(page.getByRole('img', { name: 'a.png', exact: true })).toBeVisible({ timeout: 60_000 })
  const announced = page.locator('body > [role=status]')
  await app.button('Slideshow').click()
  await expect(toolsIn(page)).toBeVisible()
  await page.clock.runFor(200)
  await expect(announced).toHaveText('Slideshow, images: 4. Escape ends it.')
  await expect(page.getByText('1 / 4', { exact: true })).toBeAttached()
  await expect(page.getByRole('navigation', { name: 'Thumbnails' })).toBeHidden()
  await app.button('Time per image: 5 seconds').click()
  await app.choice('3 seconds').click()
  await expect.poll(async () => (await seen()).locks).toBe(1)
  await expectAccessibleInBoth(page)

  for (const name of ['c.png', 'e.png', 'a.png']) await step(page, name)
  expect(await seen()).toEqual({ blanks: 0, locks: 1 })
  await expect(announced).toHaveText('Slideshow, images: 4. Escape ends it.')

  await page.keyboard.press('Escape')
  await expect(toolsIn(page)).toBeHidden()
  await expect(shownIn(page, 'a.png')).toBeVisible()
  await page.clock.runFor(200)
  await expect(announced).toContainText('a.png, 1 of 5')
  await expect.poll(async () => (await seen()).locks).toBe(0)

  await page.keyboard.press('s')
  await expect(app.button('Time per image: 3 seconds')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(toolsIn(page)).toBeHidden()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('s')
  await expect(toolsIn(page)).toBeVisible()
  await page.mouse.click(300, 300)
  await expect(toolsIn(page)).toBeHidden()
})

test('a slideshow changes images at once where less motion is wanted, and its tools do not fade', async ({
  app,
  page,
  corner,
}) => {
  await album(corner.disk)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await app.open(`/files${corner.path}/a.png`)
  // Until the image has loaded, a spinner moves.
  await expect(page.getByRole('img', { name: 'a.png', exact: true })).toBeVisible({ timeout: 60_000 })
  await app.button('Slideshow').click()
  await expect(toolsIn(page)).toBeVisible()
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  await expect(toolsIn(page).locator('..')).toHaveCSS('transition-duration', '0s')
})

test.describe('behind a link', () => {
  test.use({ storageState: ANONYMOUS })

  test('visitors of a folder have the slideshow, with its keys', async ({ app, page, server, token, corner }) => {
    test.slow()
    await mkdir(join(corner.disk, 'album'))
    await album(join(corner.disk, 'album'))
    const { hash } = await linkTo(server, token, `${corner.path}/album/`, {})
    await page.clock.install()
    await app.open(`/share/${hash}/a.png`)
    await expect(page.getByRole('img', { name: 'a.png', exact: true })).toBeVisible({ timeout: 60_000 })
    await expect(app.button('Slideshow')).toBeVisible()
    await page.keyboard.press('s')
    await app.button('Time per image: 5 seconds').click()
    await app.choice('3 seconds').click()
    for (const name of ['c.png', 'e.png']) await step(page, name)
    await expectAccessibleInBoth(page)
    await page.keyboard.press('s')
    await expect(toolsIn(page)).toBeHidden()
    await expect(page.getByRole('button', { name: 'Slideshow' })).toBeVisible()
  })
})
