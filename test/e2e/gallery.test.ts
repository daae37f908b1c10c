import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from './fixtures.ts'

const SHAPES: Record<string, [width: number, height: number]> = {
  '1 wide.png': [800, 400],
  '2 high.png': [300, 600],
  '3 panorama.png': [1200, 300],
  '4 square.png': [400, 400],
  '5 wide.png': [600, 400],
  '6 high.png': [400, 600],
  '7 wide.png': [900, 600],
  '8 wide.png': [640, 480],
}

test('a gallery shows folders as chips and images in their proportions, which stay where they appear and have the chosen size', async ({
  app,
  page,
  corner,
}) => {
  for (const [name, [width, height]] of Object.entries(SHAPES)) {
    const image = sharp({ create: { width, height, channels: 3, background: 'teal' } })
    await writeFile(join(corner.disk, name), await image.png().toBuffer())
  }
  await mkdir(join(corner.disk, 'folder'))
  let requested: (() => void) | undefined
  const previews = new Promise<void>(resolve => {
    requested = resolve
  })
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/api/preview/512/**', async route => {
    requested?.()
    await held
    await route.continue()
  })
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+Shift+Digit3')
  await previews
  const boxes = () => Promise.all(Object.keys(SHAPES).map(name => app.row(name).boundingBox()))
  const before = await boxes()
  release()
  await expect(app.grid.locator('[data-loaded] img')).toHaveCount(Object.keys(SHAPES).length)
  expect(await boxes()).toEqual(before)
  for (const [at, [width, height]] of Object.values(SHAPES).entries()) {
    const box = before[at]
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(width / height, 1)
  }

  const chip = await app.row('folder').boundingBox()
  expect(chip?.height).toBeLessThan(60)
  expect((chip?.y ?? 0) + (chip?.height ?? 0)).toBeLessThan(before[0]?.y ?? 0)

  await app.row('1 wide.png').click()
  await page.keyboard.press('ArrowUp')
  await expect(app.row('folder')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(app.row('1 wide.png')).toBeFocused()
  await page.keyboard.press('Shift+End')
  await expect(app.grid.locator('[aria-selected=true]')).toHaveCount(8)

  await page.keyboard.press('Escape')
  const height = async () => (await app.row('1 wide.png').boundingBox())?.height ?? 0
  const middle = await height()
  const slider = page.getByRole('slider', { name: 'Zoom' })
  await slider.focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(height).toBeLessThan(middle)
  await page.keyboard.press('ArrowRight')
  await expect.poll(height).toBe(middle)
})
