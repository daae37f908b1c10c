import type { FrameLocator, Page } from '@playwright/test'
import sharp from 'sharp'
import { expect } from './fixtures.ts'

/** What one sees of a file that is open; throws when one does not. */
type Check = (page: Page) => Promise<void>

const layer = (page: Page) => page.locator('body > main')
const paper = (page: Page): FrameLocator => layer(page).frameLocator('iframe')

const text =
  (words: string): Check =>
  page =>
    expect(layer(page).getByText(words).first()).toBeVisible()

const onPaper =
  (words: string): Check =>
  page =>
    expect(paper(page).getByText(words).first()).toBeVisible()

/** The colours on both sides of the middle of what is shown. */
async function coloursOf(page: Page, selector: string): Promise<string[]> {
  const shot = await layer(page).locator(selector).first().screenshot({ timeout: 5000 })
  const { data, info } = await sharp(shot).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return [0.48, 0.52].map(share => {
    const at = (Math.floor(info.height * 0.45) * info.width + Math.floor(info.width * share)) * info.channels
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
    if (red > 180 && green < 80 && blue < 80) return 'red'
    return blue > 180 && green < 80 && red < 80 ? 'blue' : `${red} ${green} ${blue}`
  })
}

const isHalves = async (page: Page, selector: string) =>
  expect(await coloursOf(page, selector)).toEqual(['red', 'blue'])

/** A red half and a blue one. What is not there yet may never come, so the wait for it is short and begins again. */
const halves =
  (selector: string): Check =>
  page =>
    expect(() => isHalves(page, selector)).toPass({ timeout: 20_000 })

const sound: Check = page =>
  expect
    .poll(() =>
      layer(page)
        .locator('audio')
        .evaluate(player => player instanceof HTMLAudioElement && player.duration),
    )
    .toBeGreaterThan(0)

/** With the picture of its album. */
const album: Check = async page => {
  await sound(page)
  const cover = layer(page).locator('[data-loaded] > img')
  await expect.poll(() => cover.evaluate(image => image instanceof HTMLImageElement && image.naturalWidth)).toBeTruthy()
}

/** Any of these is in sight. */
const waysToGet = (page: Page) =>
  layer(page)
    .getByRole('link', { name: 'Download' })
    .or(layer(page).getByRole('button', { name: 'Download' }))
    .first()

/** Shown as far as this browser can; the rest is named, with a way to get the file. */
const videoOrReason: Check = page =>
  expect(async () => {
    // Not the words within a player, which are for browsers that have none.
    if (
      await layer(page)
        .locator('p', { hasText: /can't play/ })
        .isVisible()
    )
      await expect(waysToGet(page)).toBeVisible({ timeout: 1000 })
    else await isHalves(page, 'video')
  }).toPass({ timeout: 20_000 })

const refused =
  (reason: string): Check =>
  async page => {
    await text(reason)(page)
    await expect(layer(page).getByRole('link', { name: 'Download' })).toBeVisible()
  }

const drawnPage =
  (words: string): Check =>
  async page => {
    await expect(layer(page).locator('canvas[data-drawn]').first()).toBeVisible()
    await expect(layer(page).locator('[data-page="1"]').getByText(words).first()).toBeAttached()
  }

const drawn: Check = page => expect(layer(page).locator('canvas[data-drawn]').first()).toBeVisible()

/** What is left of a damaged document may still be read. */
const drawnOrDamaged: Check = page =>
  expect(layer(page).locator('canvas[data-drawn]').or(layer(page).getByText(IS_DAMAGED)).first()).toBeVisible()

const editor =
  (words: string): Check =>
  page =>
    expect(layer(page).getByRole('textbox', { name: /^Contents of/ })).toHaveText(words)

const row =
  (name: string): Check =>
  page =>
    expect(layer(page).getByRole('row').filter({ hasText: name })).toBeVisible()

const loaded: Check = page => expect(layer(page).locator('img[data-loaded]')).toBeVisible()

const IS_DAMAGED = 'damaged or incomplete'
const IMAGE = halves('img[data-loaded]')
const DAMAGED = refused(IS_DAMAGED)
const LOCKED = refused('This file is password-protected')
const NOT_THIS = refused("damaged, or its type doesn't match its name")
/** Asks for the password until it is right. */
const PASSWORD: Check = async page => {
  const field = layer(page).getByLabel('Password', { exact: true })
  await field.fill('wrong')
  await page.keyboard.press('Enter')
  await expect(field).toHaveAccessibleDescription('Wrong credentials')
  await field.fill('secret')
  await page.keyboard.press('Enter')
  await drawnPage('The harbour')(page)
}

/** What is seen of each file of the corpus. */
export const CORPUS: Readonly<Record<string, Check>> = {
  'book.epub': onPaper('A quotation, with a footnote.'),
  'catch.xlsx': text('Carp & "Co"'),
  'deck.odp': drawn,
  'drawing.svg': loaded,
  'film.mp4': videoOrReason,
  'film.webm': halves('video'),
  'halves.bmp': IMAGE,
  'halves.gif': IMAGE,
  'halves.heic': IMAGE,
  'halves.jpg': IMAGE,
  'halves.png': IMAGE,
  'halves.tif': IMAGE,
  'halves.webp': IMAGE,
  'handbook-locked.pdf': PASSWORD,
  'handbook.pdf': drawnPage('The harbour'),
  'hevc.mp4': videoOrReason,
  'letter.doc': drawn,
  'letter.docx': onPaper('A quotation, with a footnote.'),
  'letter.odt': drawn,
  'moving.gif': loaded,
  'old.avi': videoOrReason,
  'old.mkv': videoOrReason,
  'page.pdf': drawn,
  'plain.mp3': sound,
  'sideways.jpg': loaded,
  'song.flac': album,
  'song.m4a': album,
  'song.mp3': album,
  'song.opus': album,
}

/** Of archives that other programs made. */
export const ARCHIVES: Readonly<Record<string, Check>> = {
  'aes.zip': row('long.txt'),
  'gnu.tar': row('long.txt'),
  'info-zip.zip': row('long.txt'),
  'seven.7z': row('long.txt'),
  'tree.tar.bz2': row('long.txt'),
  'tree.tar.gz': row('long.txt'),
  'tree.tar.lz4': row('long.txt'),
  'tree.tar.xz': row('long.txt'),
  'tree.tar.zst': row('long.txt'),
}

/** Of first halves. */
export const CUT: Readonly<Record<string, Check>> = {
  'cut book.epub': DAMAGED,
  'cut catch.xlsx': DAMAGED,
  'cut film.mp4': videoOrReason,
  'cut film.webm': videoOrReason,
  'cut gnu.tar': row('docs'),
  'cut halves.bmp': NOT_THIS,
  'cut halves.heic': NOT_THIS,
  'cut halves.jpg': NOT_THIS,
  'cut halves.png': NOT_THIS,
  'cut handbook.pdf': drawnOrDamaged,
  'cut info-zip.zip': NOT_THIS,
  'cut letter.docx': DAMAGED,
  'cut seven.7z': NOT_THIS,
  'cut song.mp3': sound,
}

/** Of what is made on the spot. */
export const MADE: Readonly<Record<string, Check>> = {
  'code.ts': editor('export const answer = 42'),
  'empty.txt': editor(''),
  'halves.avif': IMAGE,
  'huge.png': refused('too large to'),
  'latin.txt': editor('grüße'),
  'locked.xlsx': LOCKED,
  'note.md': text('The harbour'),
  'nothing.bin': refused('No preview'),
  'photo.cr2': IMAGE,
  'photo.dng': IMAGE,
  'photo.nef': IMAGE,
  'picture.mp4': refused("can't play this file"),
  'picture.pdf': DAMAGED,
  'table.csv': text('Carp'),
  'text.docx': DAMAGED,
  'text.epub': DAMAGED,
  'text.heic': NOT_THIS,
  'text.jpg': NOT_THIS,
  'text.mp3': refused("can't play this file"),
  'text.zip': NOT_THIS,
}

export const CHECKS: Readonly<Record<string, Check>> = { ...CORPUS, ...ARCHIVES, ...CUT, ...MADE }
