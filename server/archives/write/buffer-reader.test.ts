import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fillerOf, joined } from './buffer-reader.ts'

const bytes = (text: string) => Buffer.from(text)

/** Chunks in a reused buffer, like those of an archive. */
async function* reused(...texts: string[]) {
  const memory = Buffer.alloc(20)
  for (const text of texts) yield memory.subarray(0, memory.write(text))
}

test('chunks fill the buffer, and the rest of one comes next', async () => {
  const { fill } = fillerOf(reused('abc', '', 'defgh', 'i'))
  const memory = Buffer.alloc(4)
  const taken: string[] = []
  for (let count = await fill(memory); count > 0; count = await fill(memory))
    taken.push(memory.toString('utf8', 0, count))
  expect(taken).toEqual(['abcd', 'efgh', 'i'])
  expect(await fill(memory)).toBe(0)
})

test('slow data is passed on before the buffer is full', async () => {
  const slow = async function* () {
    for (const text of ['a', 'b', 'c']) {
      yield bytes(text)
      await pause(150)
    }
  }
  const { fill } = fillerOf(slow())
  const memory = Buffer.alloc(100)
  const first = await fill(memory)
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThan(3)
})

test('joined chunks may be retained, though their sources may not', async () => {
  const kept = await Array.fromAsync(joined(reused('one ', 'two ', 'three')))
  expect(Buffer.concat(kept).toString()).toBe('one two three')
})

test('an error of the chunks is thrown, and stopping early ends them', async () => {
  const failing = async function* () {
    yield bytes('a')
    throw new Error('gone')
  }
  await expect(Array.fromAsync(joined(failing()))).rejects.toThrow('gone')
  const unread = Readable.from([bytes('a')])
  await fillerOf(unread).end()
  expect(unread.destroyed).toBe(true)
})
