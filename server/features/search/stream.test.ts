import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { SearchHit } from '../../../shared/api/search.ts'
import { FORMATS, HEARTBEAT, streamHits } from './stream.ts'

const hit = (path: string): SearchHit => ({ path, dir: false })
const live = new AbortController().signal

async function* hits(...found: SearchHit[]) {
  for (const one of found) {
    await delay(1)
    yield one
  }
}

async function* endless(told: { count: number }) {
  for (;;) {
    told.count += 1
    yield hit('x'.repeat(1000))
  }
}

describe('results', () => {
  test('are one array', async () => {
    const body = await text(streamHits(hits(hit('a'), hit('b\n"c"')), FORMATS.array, live))
    expect(JSON.parse(body)).toEqual([hit('a'), hit('b\n"c"')])
    expect(await text(streamHits(hits(), FORMATS.array, live))).toBe('[]')
  })

  test('are one a line, each ended', async () => {
    const body = await text(streamHits(hits(hit('a'), hit('b\nc')), FORMATS.lines, live))
    expect(body).toBe('{"path":"a","dir":false}\n{"path":"b\\nc","dir":false}\n')
    expect(await text(streamHits(hits(), FORMATS.lines, live))).toBe('')
  })

  test('arrive before the search ends', async () => {
    async function* slow() {
      yield hit('early')
      await delay(60_000, undefined, { ref: false })
    }
    const stream = streamHits(slow(), FORMATS.lines, live)
    const [first] = await stream.take(1).toArray()
    expect(String(first)).toBe('{"path":"early","dir":false}\n')
  })

  test('are followed by a sign of life when no more come', { timeout: HEARTBEAT * 3 }, async () => {
    async function* slow() {
      yield hit('early')
      await delay(HEARTBEAT + 1000)
    }
    const body = await text(streamHits(slow(), FORMATS.array, live))
    expect(body).toBe('[{"path":"early","dir":false}\n]')
  })

  test('are looked for no faster than they are read', async () => {
    const told = { count: 0 }
    const stream = streamHits(endless(told), FORMATS.lines, live)
    await delay(100)
    expect(told.count).toBeLessThan(200)
    stream.destroy()
  })

  test('are looked for no longer when nobody reads them', async () => {
    const told = { count: 0 }
    const gone = new AbortController()
    streamHits(endless(told), FORMATS.lines, gone.signal)
    await delay(20)
    gone.abort()
    await delay(20)
    const { count } = told
    await delay(100)
    expect(told.count).toBe(count)
  })

  test('end with an error when the search fails', async () => {
    async function* failing() {
      yield hit('a')
      throw new Error('broken')
    }
    await expect(text(streamHits(failing(), FORMATS.array, live))).rejects.toThrow('broken')
  })
})
