import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from './fixtures.ts'

test('a filmstrip below an image marks it, follows steps, goes where it is clicked, and stays hidden once it is', async ({
  app,
  page,
  corner,
}) => {
  const image = sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
  const names = Array.from({ length: 40 }, (_, index) => `strip ${index + 1}.png`)
  for (const name of names) await writeFile(join(corner.disk, name), await image.png().toBuffer())
  await app.openFolder(corner.path)
  await app.row('strip 20.png').dblclick()
  const strip = page.getByRole('navigation', { name: 'Thumbnails' })
  const current = strip.locator('[aria-current]')
  await expect(current).toHaveAccessibleName('strip 20.png')
  expect(await strip.getByRole('button').count()).toBeLessThan(40)
  const middle = async () => {
    const [outer, inner] = [await strip.boundingBox(), await current.boundingBox()]
    return Math.abs((inner?.x ?? 0) + (inner?.width ?? 0) / 2 - (outer?.x ?? 0) - (outer?.width ?? 0) / 2)
  }
  expect(await middle()).toBeLessThan(2)

  await page.keyboard.press('ArrowRight')
  await expect(current).toHaveAccessibleName('strip 21.png')
  await strip.getByRole('button', { name: 'strip 24.png' }).click()
  await expect(page).toHaveURL(/strip%2024\.png/)
  await expect(current).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(page).toHaveURL(/strip%2023\.png/)
  await expect(current).toBeFocused()
  await expect(current).toHaveAccessibleName('strip 23.png')
  expect(await middle()).toBeLessThan(2)

  await page.getByRole('button', { name: 'Thumbnails' }).click()
  await expect(strip).toBeHidden()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Thumbnails' })).toHaveAttribute('aria-pressed', 'false')
  await page.getByRole('button', { name: 'Thumbnails' }).click()
  await expect(current).toHaveAccessibleName('strip 23.png')
})
