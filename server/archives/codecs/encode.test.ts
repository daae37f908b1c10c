import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { suffixArray } from './bzip2/suffix-array.ts'
import { blocksOf, compressed } from './codec-threads.ts'
import { METHODS, type Method } from './encoders.ts'
import { DECODERS } from './test-decoders.ts'

const program = readFileSync(process.execPath).subarray(8_000_000, 8_600_000)
const noise = randomBytes(100_000)
const CONTENTS: [string, Buffer][] = [
  ['a single byte', Buffer.from('a')],
  ['a short text', Buffer.from('the quick brown fox jumps over the lazy dog, the quick brown dog does not')],
  ['one byte over and over', Buffer.alloc(600_000, 'x')],
  ['two alternating bytes', Buffer.from('ab'.repeat(200_000))],
  ['runs of all lengths', Buffer.concat(Array.from({ length: 1200 }, (_, index) => Buffer.alloc(index % 300, index)))],
  ['noise', noise],
  ['repeated noise', Buffer.concat([noise, Buffer.alloc(70_000), noise])],
  ['a program', program],
]

describe.each(Object.keys(METHODS) as Method[])('%s', method => {
  const roundTrip = (content: Buffer) => DECODERS[method](Buffer.from(METHODS[method].compress(content)))

  test.each(CONTENTS)('%s survives a round trip', (_name, content) => {
    expect(roundTrip(content).equals(content)).toBe(true)
  })

  test('empty input survives a round trip', () => {
    expect(roundTrip(Buffer.alloc(0))).toHaveLength(0)
  })

  test('a full block of the worst case survives a round trip', () => {
    const content = Buffer.alloc(METHODS[method].block)
    for (let at = 0; at < content.length; at++) content[at] = (at >> 2) & 0xff
    expect(roundTrip(content).equals(content)).toBe(true)
  })

  test('repetitions shrink, and noise hardly grows', () => {
    expect(METHODS[method].compress(program).length).toBeLessThan(program.length * 0.75)
    expect(METHODS[method].compress(noise).length).toBeLessThan(noise.length * 1.01 + 100)
  })

  test('blocks compressed on other threads are read as one stream', async () => {
    const content = Buffer.concat([program, noise, program, Buffer.alloc(5_000_000, 'ab'), program])
    const chunks: Uint8Array[] = []
    for await (const chunk of compressed(chunksOf(content, 70_001), method)) chunks.push(chunk)
    expect(DECODERS[method](Buffer.concat(chunks)).equals(content)).toBe(true)
  })
})

test('any short text survives bzip2’s sorting: suffixes are in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3), { maxLength: 60 }), characters => {
      const text = Uint8Array.from(characters)
      const suffix = (at: number) => String.fromCharCode(...text.subarray(at))
      const naive = Array.from(text.keys()).sort((a, b) => (suffix(a) < suffix(b) ? -1 : 1))
      expect([...suffixArray(text, 4)]).toEqual(naive)
    }),
    { numRuns: 2000, seed: 7 },
  )
})

test('chunks of any size become blocks of one size', async () => {
  const sizes: number[] = []
  for await (const block of blocksOf(chunksOf(Buffer.alloc(1000), 333), 250)) sizes.push(block.length)
  expect(sizes).toEqual([250, 250, 250, 250])
})

async function* chunksOf(content: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}
