import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test, vi } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { LIMITS } from '../../limits.ts'
import { cacheIn } from '../../storage/cache-in-driver.ts'
import { openMemory } from '../../storage/memory.ts'
import { writeFile } from '../../storage/write-file.ts'
import { Cache } from '../previews/cache.ts'
import type { ConversionFailure } from './converter.ts'
import { Documents } from './documents.ts'

const DAY = 24 * 3_600_000
const PDF = Buffer.from('%PDF-1.7')

afterEach(() => vi.useRealTimers())

/** Documents whose conversions have these results in turn. @returns asks for one document, and the number of conversions */
async function documentsWith(...ends: (Buffer | ConversionFailure)[]) {
  const store = openMemory()
  await writeFile(store, parsePath('/a.odt'), Readable.from([Buffer.from('words')]), {})
  let conversions = 0
  const convert = async (document: Readable) => {
    await buffer(document)
    return ends[conversions++] ?? PDF
  }
  const cache = new Cache(cacheIn(openMemory()), 1024 ** 2)
  const documents = new Documents({
    converter: { state: 'works', convert, close: async () => {} },
    cache,
    cluster: { lock: (_name, act) => act(false) },
  })
  const ask = async () => {
    const pdf = await documents.of(await store.read(parsePath('/a.odt')), 60_000)
    await cache.settled()
    return pdf?.bytes.toString()
  }
  return { ask, conversions: () => conversions }
}

test('a conversion that took too long is tried again after the retry time, and not before', async () => {
  const { ask, conversions } = await documentsWith('late')
  await expect(ask()).rejects.toMatchObject({ code: 'undecodable' })
  await expect(ask()).rejects.toMatchObject({ code: 'undecodable' })
  expect(conversions()).toBe(1)
  vi.useFakeTimers({ now: Date.now() + LIMITS.documentRetry + 1000, toFake: ['Date'] })
  expect(await ask()).toBe(PDF.toString())
  expect(conversions()).toBe(2)
})

test('a document that LibreOffice cannot read is tried again after 30 days', async () => {
  const { ask, conversions } = await documentsWith('undecodable')
  await expect(ask()).rejects.toMatchObject({ code: 'undecodable' })
  vi.useFakeTimers({ now: Date.now() + 29 * DAY, toFake: ['Date'] })
  await expect(ask()).rejects.toMatchObject({ code: 'undecodable' })
  expect(conversions()).toBe(1)
  vi.setSystemTime(Date.now() + 2 * DAY)
  expect(await ask()).toBe(PDF.toString())
})
