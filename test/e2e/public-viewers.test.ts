import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expectAccessibleInBoth } from './axe.ts'
import { expect } from './fixtures.ts'
import { heading, password, test } from './visitor.ts'

test('a shared folder of photos is a gallery, and its files are browsed and played', async ({
  app,
  page,
  corner,
  shareLink,
}) => {
  await mkdir(join(corner.disk, 'photos'))
  for (const name of ['a.jpg', 'b.heic', 'c.webm']) {
    const made = { 'a.jpg': 'halves.jpg', 'b.heic': 'halves.heic', 'c.webm': 'film.webm' }[name] ?? ''
    await copyFile(join('test/corpus', made), join(corner.disk, 'photos', name))
  }
  const link = await shareLink('/photos/')
  await app.open(link)
  const widths = () =>
    page
      .locator('[role=grid] img')
      .evaluateAll(all => all.map(each => each instanceof HTMLImageElement && each.naturalWidth))
  await expect.poll(async () => (await widths()).slice(0, 2), { timeout: 20_000 }).toEqual([320, 320])
  await expect.poll(() => app.names()).toEqual(['a.jpg', 'b.heic', 'c.webm'])

  await app.row('b.heic').click()
  const shown = page.getByRole('img', { name: 'b.heic', exact: true })
  await expect
    .poll(() => shown.evaluate(image => image instanceof HTMLImageElement && image.naturalWidth), { timeout: 20_000 })
    .toBe(320)
  await expectAccessibleInBoth(page)
  await page.keyboard.press('ArrowRight')
  await expect(heading(app)).toHaveText('c.webm')
  const player = page.locator('video')
  await expect.poll(() => player.evaluate(video => video instanceof HTMLVideoElement && video.videoWidth)).toBe(320)
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(heading(app)).toHaveText('b.heic')
  await page.goBack()
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Name' })).toBeVisible()
})

test('documents behind a link are read in the browser, and broken ones say so', async ({
  app,
  page,
  corner,
  shareLink,
}) => {
  await mkdir(join(corner.disk, 'papers'))
  for (const name of ['book.epub', 'catch.xlsx', 'handbook.pdf', 'letter.docx']) {
    await copyFile(join('test/corpus/documents', name), join(corner.disk, 'papers', name))
  }
  await writeFile(join(corner.disk, 'papers/broken.pdf'), 'no document')
  const link = await shareLink('/papers/', { password: 'a-long-enough-password' })
  await app.open(link)
  await password(app).fill('a-long-enough-password')
  await page.keyboard.press('Enter')
  const seen: Record<string, Locator> = {
    'book.epub': page.frameLocator('iframe').getByText('A quotation, with a footnote.'),
    'broken.pdf': page.getByText('damaged or incomplete'),
    'catch.xlsx': page.getByRole('gridcell', { name: 'Carp' }),
    'handbook.pdf': page.locator('canvas[data-drawn]').first(),
    'letter.docx': page.frameLocator('iframe').getByText('A quotation, with a footnote.'),
  }
  for (const [name, sight] of Object.entries(seen)) {
    await app.row(name).click()
    await expect(heading(app)).toHaveText(name)
    await expect(sight).toBeVisible({ timeout: 20_000 })
    await expect(page.getByRole('link', { name: 'Download' })).toBeVisible()
    await page.goBack()
  }
})

test('a video behind a link has its subtitles and speeds, and a text its headings, images and links', async ({
  app,
  page,
  corner,
  shareLink,
}) => {
  const disk = join(corner.disk, 'trip')
  await mkdir(disk)
  await copyFile('test/corpus/film.webm', join(disk, 'film.webm'))
  await copyFile('test/corpus/halves.png', join(disk, 'a b.png'))
  await writeFile(join(disk, 'film.en.srt'), '1\n00:00:00,000 --> 00:00:09,000\nHello\n')
  await writeFile(join(disk, 'other.txt'), 'another text')
  await writeFile(join(disk, 'note.md'), '# The trip\n\n![halves](a%20b.png) [other](other.txt) [out](../../secret)\n')
  const link = await shareLink('/trip/', { password: 'a-long-enough-password' })
  await app.open(`${link}/film.webm`)
  await password(app).fill('a-long-enough-password')
  await page.keyboard.press('Enter')
  const cues = () =>
    page.locator('video').evaluate((video: HTMLVideoElement) => {
      for (const track of video.textTracks) track.mode = 'showing'
      return [...video.textTracks].map(({ cues }) => cues?.length)
    })
  await expect.poll(cues).toEqual([1])
  await app.button('Speed: 1×').click()
  await app.choice('2×').click()
  await expect.poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(2)

  await app.open(`${link}/note.md`)
  await expect(page.getByRole('heading', { name: 'The trip', level: 2 })).toBeVisible()
  const shownImage = page.getByRole('img', { name: 'halves' })
  await expect.poll(() => shownImage.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320)
  await app.button('Source').click()
  await expect(page.getByText('# The trip')).toBeVisible()
  await app.button('Preview').click()
  await page.getByRole('link', { name: 'other' }).click()
  await app.isAt(`${link}/other.txt`)
  await expect(page.locator('pre')).toHaveText('another text')
})
