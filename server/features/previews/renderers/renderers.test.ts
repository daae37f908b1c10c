import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { scale } from '../resize.ts'
import { asCr2, asCr3, asRaf, withHiddenImage, withSubDirectories } from '../test-cameras.ts'
import { halves, inspect } from '../test-pictures.ts'
import { BIG, openBytes, sourceOf, THUMB } from '../test-sources.ts'
import { coverOf } from './cover.ts'
import { rendererFor } from './index.ts'
import type { RenderOptions } from './renderer.ts'
import type { Source } from './source.ts'

const CORPUS = new URL('../../../../test/corpus/', import.meta.url)
const corpus = (name: string) => readFileSync(new URL(name, CORPUS))

/** The preview of a file by its name and its bytes. */
async function see(name: string, bytes: Buffer, options: RenderOptions) {
  const renderer = await rendererFor(name)?.load()
  if (!renderer) throw new Error('no renderer')
  const answer = await scale(await openBytes(renderer.open, bytes, options), options)
  if (answer.kind !== 'picture') throw new Error(answer.kind)
  return inspect(answer.bytes)
}

const SIDEWAYS = ['red', 'blue', 'red', 'blue']
const UPWARDS = ['red', 'red', 'blue', 'blue']
const ownKinds = readdirSync(CORPUS).filter(name => /\.(heic|pdf|mp3|m4a|flac|opus|ogg|gif)$/.test(name))
const shown = ownKinds.filter(name => !name.startsWith('plain'))

describe('a file of a real program', () => {
  test.each(shown)('is shown: %s', async name => {
    const seen = await see(name, corpus(name), THUMB)
    expect(seen).toEqual({ format: 'jpeg', width: 256, height: 256, corners: SIDEWAYS })
  })

  test.each(ownKinds)('truncated, or corrupt in the middle, gives an image or an error: %s', async name => {
    const whole = corpus(name)
    const ragged = Buffer.from(whole)
    for (let at = 20; at < ragged.length; at += 7) ragged[at] = at & 0xff
    for (const bytes of [whole.subarray(0, whole.length / 2), ragged]) {
      const end = await see(name, bytes, THUMB).then(
        ({ width }) => width,
        (thrown: unknown) => thrown,
      )
      if (end !== 256) expect(end).toBeInstanceOf(Error)
    }
  })

  test('without a cover has no preview', async () => {
    await expect(see('plain.mp3', corpus('plain.mp3'), THUMB)).rejects.toThrow()
  })
})

describe('a cover', () => {
  test.each(['song.mp3', 'song.flac', 'song.m4a', 'song.opus'])(
    'is found with a few reads of a long file: %s',
    async name => {
      const long = Buffer.concat([corpus(name), Buffer.alloc(40 * 1024 * 1024, 0xff)])
      const source = sourceOf(long)
      let [reads, bytes] = [0, 0]
      const counted: Source = {
        length: source.length,
        read: async (start, length) => {
          const chunk = await source.read(start, length)
          reads += 1
          bytes += chunk.length
          return chunk
        },
      }
      expect(await coverOf(counted)).toEqual(corpus('halves.jpg'))
      expect(reads).toBeLessThan(8)
      expect(bytes).toBeLessThan(1024 * 1024)
    },
  )

  test.each([
    ['an ID3 tag', '4944330300007f7f7f7f415049430ffffff0'],
    ['a block of FLAC', `664c614300000022${'00'.repeat(34)}86ffffff00000003`],
    ['a box of MP4', '00000018667479704d344120000000004d34412069736f6d7ffffff06d6f6f76'],
  ])('is not read where %s claims to be enormous', async (_, hex) => {
    const bytes = Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(4096)])
    expect(await coverOf(sourceOf(bytes)).catch(() => undefined)).toBeUndefined()
  })

  test('is found in a file that is truncated after its tags', async () => {
    const cut = Buffer.concat([corpus('song.m4a'), Buffer.from('7fffffff6d646174', 'hex')])
    expect(await coverOf(sourceOf(cut))).toEqual(corpus('halves.jpg'))
  })
})

test('the first page of a document is as large as a window', async () => {
  expect(await see('page.pdf', corpus('page.pdf'), BIG)).toMatchObject({ width: 1080, height: 675, corners: SIDEWAYS })
})

const small = await halves(300, 200).jpeg().toBuffer()
const large = await halves(2000, 1000).jpeg().toBuffer()

describe('a raw file of a camera', () => {
  test.each([
    ['a.dng', withSubDirectories(large)],
    ['a.nef', withSubDirectories(large)],
    ['a.CR2', asCr2(large)],
    ['a.raf', asRaf(large)],
    ['a.cr3', asCr3(large)],
    ['a.orf', withHiddenImage(large)],
  ])('is shown by its embedded image: %s', async (name, bytes) => {
    expect(await see(name, bytes, BIG)).toEqual({ format: 'jpeg', width: 1080, height: 540, corners: SIDEWAYS })
    expect(await see(name, bytes, THUMB)).toMatchObject({ width: 256, height: 256, corners: SIDEWAYS })
  })

  test.each([
    ['a.dng', withSubDirectories(small, 6)],
    ['a.cr2', asCr2(small, 6)],
    ['a.cr3', asCr3(small, 6)],
  ])('is upright: %s', async (name, bytes) => {
    expect(await see(name, bytes, BIG)).toMatchObject({ width: 200, height: 300, corners: UPWARDS })
  })

  test('with cyclic or dangling references is refused', async () => {
    const ring = Buffer.from(`49492a0008000000${'0000'}08000000`, 'hex')
    const nowhere = Buffer.from('49492a00ffffff7f', 'hex')
    const cut = withSubDirectories(large).subarray(0, 2000)
    for (const bytes of [ring, nowhere, cut, Buffer.alloc(0), Buffer.from('no camera')]) {
      await expect(see('a.dng', bytes, BIG)).rejects.toThrow()
    }
  })
})
