import { afterEach, describe, expect, it, vi } from 'vitest'
import { readEvents } from './event-stream.ts'

afterEach(() => void vi.unstubAllGlobals())

/** The events of a stream that arrives in these chunks. */
async function parsed(...pieces: string[]) {
  const body = new ReadableStream({
    start(stream) {
      for (const piece of pieces) stream.enqueue(new TextEncoder().encode(piece))
      stream.close()
    },
  })
  vi.stubGlobal('fetch', async () => new Response(body))
  const events: string[] = []
  let opened = 0
  const began = await readEvents('/api/events', new AbortController().signal, {
    onOpen: () => void opened++,
    onEvent: (name, data) => events.push(`${name}: ${data}`),
  })
  return { began, opened, events }
}

describe('a stream of events', () => {
  it('is parsed across chunks, and other lines are ignored', async () => {
    const pieces = ['retry: 3000\n\n:\n\nevent: jo', 'b\nda', 'ta: {"a":1}\n', '\ndata: one\r\ndata: two\r\n\r\n']
    expect(await parsed(...pieces)).toEqual({ began: true, opened: 1, events: ['job: {"a":1}', 'message: one\ntwo'] })
  })

  it('that ends before its first byte has not begun', async () => {
    expect(await parsed()).toEqual({ began: false, opened: 0, events: [] })
  })
})
