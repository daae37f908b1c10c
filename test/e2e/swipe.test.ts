import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from './fixtures.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('an image follows the finger with the next one at its side, and returns where that is let go too early', async ({
  app,
  page,
  corner,
}) => {
  for (const [name, background] of [
    ['a.png', 'teal'],
    ['b.png', 'maroon'],
  ]) {
    const image = sharp({ create: { width: 300, height: 200, channels: 3, background: background ?? '' } })
    await writeFile(join(corner.disk, name ?? ''), await image.png().toBuffer())
  }
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await app.open(`/files${corner.path}/a.png`)
  const image = page.getByRole('img', { name: 'a.png', exact: true })
  await expect(image).toBeVisible()
  const left = async () => (await image.boundingBox())?.x ?? 0
  const atRest = await left()
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 400 }] })
  await touch('touchStart', 300)
  for (const x of [280, 240, 200]) await touch('touchMove', x)
  await expect.poll(left).toBeCloseTo(atRest - 100, 0)
  const next = page.locator('img[alt=""][src*="b.png"]:not(nav img)')
  await expect.poll(async () => (await next.boundingBox())?.x).toBeCloseTo(290, 0)

  await touch('touchMove', 280)
  await touch('touchEnd')
  await expect.poll(left).toBe(atRest)
  await expect(next).toHaveCount(0)
  await expect(image).toBeVisible()

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await touch('touchStart', 300)
  for (const x of [280, 240, 200]) await touch('touchMove', x)
  expect(await left()).toBe(atRest)
  await touch('touchEnd')
  await expect(page.getByRole('img', { name: 'b.png', exact: true })).toBeVisible()
})
