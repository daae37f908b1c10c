import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { asCr2, withSubDirectories } from '../../server/features/previews/test-cameras.ts'
import { CHECKS, CORPUS } from './corpus-sights.ts'
import { type Corner, expect, test } from './fixtures.ts'

const FOLDERS = ['test/corpus', 'test/corpus/documents'] as const
const ARCHIVES = 'test/fixtures/archives'

/** One of each kind, and of each defect; `npm run test:corpus` has them all. */
const FEW: readonly string[] = [
  'aes.zip',
  'book.epub',
  'catch.xlsx',
  'cut book.epub',
  'cut film.mp4',
  'cut halves.jpg',
  'cut info-zip.zip',
  'drawing.svg',
  'film.webm',
  'halves.heic',
  'halves.jpg',
  'handbook-locked.pdf',
  'handbook.pdf',
  'hevc.mp4',
  'huge.png',
  'letter.docx',
  'locked.xlsx',
  'note.md',
  'nothing.bin',
  'photo.dng',
  'picture.pdf',
  'song.mp3',
  'table.csv',
  'text.jpg',
  'tree.tar.xz',
]

/** Names with this prefix are truncated versions of others. */
const CUT = 'cut '

const isWhole = process.env.FILIGREE_CORPUS === 'whole'

/** Generated content, not in the corpus. */
async function made(name: string): Promise<Buffer | string> {
  const photo = () => readFile(join(FOLDERS[0], 'halves.jpg'))
  const image = () => readFile(join(FOLDERS[0], 'halves.png'))
  switch (name) {
    case 'code.ts':
      return 'export const answer = 42\n'
    case 'empty.txt':
      return ''
    case 'halves.avif':
      return sharp(await image())
        .avif()
        .toBuffer()
    case 'huge.png':
      return hugeImage(await image())
    case 'latin.txt':
      return Buffer.from('gr\xfc\xdfe\n', 'latin1')
    case 'locked.xlsx':
      return Buffer.from('d0cf11e0a1b11ae1', 'hex')
    case 'note.md':
      return '# The harbour\n\nA *note*.\n'
    case 'nothing.bin':
      return Buffer.from([0, 1, 2, 255])
    case 'photo.cr2':
      return asCr2(await photo())
    case 'photo.dng':
    case 'photo.nef':
      return withSubDirectories(await photo())
    case 'picture.mp4':
    case 'picture.pdf':
      return image()
    case 'table.csv':
      return 'Name,Number\nCarp,3\n'
    default:
      return 'nothing but text'
  }
}

/** Claims to be 60 000 pixels wide and high. */
function hugeImage(image: Buffer): Buffer {
  image.writeUInt32BE(60_000, 16)
  image.writeUInt32BE(60_000, 20)
  return image
}

async function stored(name: string): Promise<string | undefined> {
  for (const folder of [...FOLDERS, ARCHIVES]) {
    if ((await readdir(folder)).includes(name)) return join(folder, name)
  }
  return undefined
}

async function put({ disk }: Corner, name: string): Promise<void> {
  const from = await stored(name.replace(CUT, ''))
  if (!from) return writeFile(join(disk, name), await made(name))
  if (!name.startsWith(CUT)) return copyFile(from, join(disk, name))
  const whole = await readFile(from)
  await writeFile(join(disk, name), whole.subarray(0, whole.length / 2))
}

test('every file of the corpus is covered', async () => {
  const files = (await Promise.all(FOLDERS.map(folder => readdir(folder)))).flat().filter(name => name.includes('.'))
  expect(files.sort()).toEqual(Object.keys(CORPUS).sort())
})

test('every file of every kind shows its content, or says why it does not', async ({ app, page, corner }) => {
  test.setTimeout(300_000)
  const names = isWhole ? Object.keys(CHECKS) : FEW
  for (const name of names) await put(corner, name)
  await app.openFolder(corner.path)
  await app.rows.first().focus()
  const seen: string[] = []
  for (const _ of names) {
    await page.keyboard.press('Enter')
    await expect.poll(() => app.address()).not.toBe(`/files${corner.path}/`)
    const name = (await app.address()).slice(`/files${corner.path}/`.length)
    await test.step(name, async () => {
      await CHECKS[name]?.(page)
      await expect(async () => {
        await page.keyboard.press('Escape')
        expect(await app.address()).toBe(`/files${corner.path}/`)
      }).toPass({ timeout: 10_000 })
    })
    seen.push(name)
    await expect(app.row(name)).toBeFocused()
    await page.keyboard.press('ArrowDown')
  }
  expect(seen.sort()).toEqual([...names].sort())
})
