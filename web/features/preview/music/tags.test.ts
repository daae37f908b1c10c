import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { RangedBlob } from './ranged-blob.ts'
import { readTags } from './read-tags.ts'

/** A file by ranges, as the server sends it. */
const ranged = (bytes: Uint8Array) =>
  new RangedBlob(async (start, length) => bytes.slice(start, start + length), 0, bytes.length)

/** What an MP3 file may begin with: a tag of version 2.3 with these frames of text. */
function tagged(frames: Record<string, string>): Uint8Array {
  const bodies = Object.entries(frames).map(([id, text]) => {
    const body = Buffer.concat([Buffer.from([0]), Buffer.from(text, 'latin1')])
    const head = Buffer.alloc(10)
    head.write(id)
    head.writeUInt32BE(body.length, 4)
    return Buffer.concat([head, body])
  })
  const all = Buffer.concat(bodies)
  const header = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, all.length >> 7, all.length & 127])
  return Buffer.concat([header, all])
}

test('the title, the artist and the album of an audio file are read by ranges', async () => {
  const tag = tagged({ TIT2: 'Tide', TPE1: 'Harbour', TALB: 'Quays' })
  const file = ranged(Buffer.concat([tag, await readFile('test/corpus/plain.mp3')]))
  expect(await readTags(file)).toEqual({ title: 'Tide', artist: 'Harbour', album: 'Quays' })
})

test('what the tags do not say is unknown', async () => {
  expect((await readTags(ranged(await readFile('test/corpus/song.opus')))).artist).toBeUndefined()
})

test('a file that is no audio has no tags', async () => {
  expect(await readTags(ranged(Buffer.from('noise')))).toEqual({})
})
