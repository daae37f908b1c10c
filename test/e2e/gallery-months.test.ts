import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from './fixtures.ts'

test('a gallery by date has the months in which images were taken, a time line that leads to them, and a viewer in the same order', async ({
  app,
  page,
  corner,
}) => {
  const image = sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
  // Names, and the times at which the files were written, are in other orders.
  for (let index = 0; index < 40; index += 1) {
    const month = index % 20
    const taken = `${2024 + Math.floor(month / 12)}:${String((month % 12) + 1).padStart(2, '0')}:15 12:00:${10 + index}`
    const file = join(corner.disk, `shot ${String(99 - month)}-${index}.jpg`)
    await writeFile(
      file,
      await image
        .withExif({ IFD2: { DateTimeOriginal: taken } })
        .jpeg()
        .toBuffer(),
    )
  }
  await writeFile(join(corner.disk, 'undated.png'), await image.png().toBuffer())
  await utimes(join(corner.disk, 'undated.png'), new Date('2024-03-02T12:00:00'), new Date('2024-03-02T12:00:00'))
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+Shift+Digit3')
  await page.getByRole('button', { name: 'Sort' }).click()
  await page.getByRole('menuitemradio', { name: 'Date, newest first' }).click()
  const line = page.getByRole('slider', { name: 'Go to' })
  await expect(line).toHaveAttribute('aria-valuetext', 'August 2025')
  await expect(app.grid.getByText('August 2025').first()).toBeVisible()
  const [newest, other, before] = ['shot 80-39.jpg', 'shot 80-19.jpg', 'shot 81-38.jpg']
  await expect(app.grid.getByRole('row').first()).toContainText(newest)

  const top = async (name: string) => (await app.row(name).boundingBox())?.y ?? 0
  expect(await top(newest)).toBe(await top(other))
  expect(await top(before)).toBeGreaterThan(await top(newest))

  await line.focus()
  await page.keyboard.press('PageDown')
  await expect(line).toHaveAttribute('aria-valuetext', 'December 2024')
  await expect(app.row('shot 88-31.jpg')).toBeInViewport()
  await page.keyboard.press('End')
  await expect(line).toHaveAttribute('aria-valuetext', 'January 2024')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(line).toHaveAttribute('aria-valuetext', 'March 2024')
  await expect(app.row('undated.png')).toBeInViewport()
  const box = await line.boundingBox()
  await page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 1)
  await expect(line).toHaveAttribute('aria-valuetext', 'August 2025')

  await page.evaluate(pressArrowOnceShown)
  await app.row(newest).dblclick()
  await expect(page.getByRole('heading', { name: other })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('heading', { name: before })).toBeVisible()
})

/** Runs in the page: presses an arrow key as soon as the viewer is in the document, before it is painted. */
function pressArrowOnceShown(): void {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('main:not(#content) h1')) return
    observer.disconnect()
    const key = { key: 'ArrowRight', code: 'ArrowRight', bubbles: true, cancelable: true }
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key))
  }).observe(document.body, { childList: true, subtree: true })
}
