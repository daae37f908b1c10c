import { expect, test, vi } from 'vitest'
import { readListing } from './read-listing.ts'

const SHORT = '{"items":[{"name":"a"}],"numDirs":0,"numFiles":1}'
const LONG = '{"numDirs":0,"numFiles":3,"items":[{"name":"a\\nb"}\n,{"name":"b"}\n,{"name":"é"}\n]}'

/** An answer that arrives byte by byte. */
const answerOf = (text: string) => {
  const start = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    for (const byte of new TextEncoder().encode(text)) controller.enqueue(Uint8Array.of(byte))
    controller.close()
  }
  return { body: new ReadableStream({ start }) }
}

test('a listing in lines is read as it was sent, and its first rows come before the others', async () => {
  const onBegin = vi.fn()
  expect(await readListing(answerOf(LONG), onBegin)).toEqual(JSON.parse(LONG))
  expect(onBegin.mock.calls).toEqual([[{ numDirs: 0, numFiles: 3, items: [{ name: 'a\nb' }] }]])
})

test('a short listing has no beginning of its own', async () => {
  const onBegin = vi.fn()
  expect(await readListing(answerOf(SHORT), onBegin)).toEqual(JSON.parse(SHORT))
  expect(onBegin).not.toHaveBeenCalled()
})

test('a listing without its end is not taken for a whole one', async () => {
  await expect(readListing(answerOf(LONG.slice(0, -3)), () => undefined)).rejects.toThrow('cut short')
})
