import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { SearchHit } from '../../shared/api/search.ts'
import { FORMATS, type SeveralFormat } from './ndjson.ts'
import { HEARTBEAT, streamItems } from './stream-items.ts'

const hit = (path: string): SearchHit => ({ path, dir: false })
const live = new AbortController().signal
const streamed = (found: AsyncIterable<SearchHit>, format: SeveralFormat, signal = live, unread = 0) =>
  streamItems({ items: found, count: { unread } }, format, signal)

async function* hits(...found: SearchHit[]) {
  for (const one of found) {
    await delay(1)
    yield one
  }
}

async function* endless(progress: { count: number }) {
  for (;;) {
    progress.count += 1
    yield hit('x'.repeat(1000))
  }
}

describe('results', () => {
  test('are one array', async () => {
    const body = await text(streamed(hits(hit('a'), hit('b\n"c"')), FORMATS.array))
    expect(JSON.parse(body)).toEqual([hit('a'), hit('b\n"c"')])
    expect(await text(streamed(hits(), FORMATS.array))).toBe('[]')
  })

  test('are one a line, each terminated', async () => {
    const body = await text(streamed(hits(hit('a'), hit('b\nc')), FORMATS.lines))
    expect(body).toBe('{"path":"a","dir":false}\n{"path":"b\\nc","dir":false}\n')
    expect(await text(streamed(hits(), FORMATS.lines))).toBe('')
  })

  test('end with the number of unreadable folders, in formats that have a line for it', async () => {
    expect(await text(streamed(hits(hit('a')), FORMATS.lines, live, 2))).toBe(
      '{"path":"a","dir":false}\n{"unread":2}\n',
    )
    expect(await text(streamed(hits(hit('a')), FORMATS.array, live, 2))).toBe('[{"path":"a","dir":false}]')
  })

  test('contain only hits for clients that expect one on every line', async () => {
    const body = await text(streamed(hits(hit('a')), FORMATS.bareLines, live, 2))
    expect(body).toBe('{"path":"a","dir":false}\n')
  })

  test('yield to other work while very many are sent', async () => {
    async function* many() {
      for (let number = 0; number < 2000; number++) yield hit('x'.repeat(100))
    }
    let ticks = 0
    const count = () => {
      ticks += 1
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    const body = await text(streamed(many(), FORMATS.lines))
    clearImmediate(next)
    expect(body.split('\n')).toHaveLength(2001)
    expect(ticks).toBeGreaterThan(10)
  })

  test('arrive before the search ends', async () => {
    async function* slow() {
      yield hit('early')
      await delay(60_000, undefined, { ref: false })
    }
    const stream = streamed(slow(), FORMATS.lines)
    const [first] = await stream.take(1).toArray()
    expect(String(first)).toBe('{"path":"early","dir":false}\n')
  })

  test('are followed by a heartbeat when no more arrive', { timeout: HEARTBEAT * 3 }, async () => {
    async function* slow() {
      yield hit('early')
      await delay(HEARTBEAT + 1000)
    }
    const body = await text(streamed(slow(), FORMATS.array))
    expect(body).toBe('[{"path":"early","dir":false}\n]')
  })

  test('are produced no faster than they are read', async () => {
    const progress = { count: 0 }
    const stream = streamed(endless(progress), FORMATS.lines)
    await delay(100)
    expect(progress.count).toBeLessThan(200)
    stream.destroy()
  })

  test('are no longer produced when the client disconnects', async () => {
    const progress = { count: 0 }
    const gone = new AbortController()
    streamed(endless(progress), FORMATS.lines, gone.signal)
    await delay(20)
    gone.abort()
    await delay(20)
    const { count } = progress
    await delay(100)
    expect(progress.count).toBe(count)
  })

  test('end with an error when the search fails', async () => {
    async function* failing() {
      yield hit('a')
      throw new Error('broken')
    }
    await expect(text(streamed(failing(), FORMATS.array))).rejects.toThrow('broken')
  })
})
