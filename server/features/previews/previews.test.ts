import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { AppError } from '../../errors.ts'
import type { OpenFile } from '../../files/types.ts'
import { ProgramRunner } from '../../sandbox/run-program.ts'
import { cacheIn } from '../../storage/cache-in-driver.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import { openMemory } from '../../storage/memory.ts'
import { writeFile } from '../../storage/write-file.ts'
import { Cache } from './cache.ts'
import { FAILURE_AGE } from './limits.ts'
import { RenderPool } from './pool.ts'
import { Previews } from './previews.ts'
import { rendererFor } from './renderers/index.ts'
import { halves } from './test-pictures.ts'
import { BIG } from './test-sources.ts'
import { VideoFrames } from './video-frames.ts'

const source = await halves(300, 200).png().toBuffer()
const image = rendererFor('a.png')
if (!image) throw new Error('no renderer')

const { maxPixels } = BIG

/** Previews with a store that tests can inspect. */
function setUp(store: StorageDriver = openMemory()) {
  const pool = new RenderPool({ processors: 2 })
  onTestFinished(() => pool.close())
  const frames = new VideoFrames({
    programs: new ProgramRunner(),
    environment: {},
    handsOver: true,
    concurrency: 1,
    maxPixels,
  })
  const previews = new Previews({
    pool,
    frames,
    maxPixels,
    cache: new Cache(cacheIn(store), 1e6),
    cluster: openLocalCluster(),
  })
  return { store, previews }
}

/** A file in memory that counts its reads. */
async function openFile(content: Buffer): Promise<{ file: OpenFile; reads: () => number }> {
  const store = openMemory()
  const path = parsePath('/a.png')
  await writeFile(store, path, Readable.from([content]), {})
  const file = await store.read(path)
  let reads = 0
  const stream: OpenFile['stream'] = range => {
    reads++
    return file.stream(range)
  }
  return { file: { ...file, stream }, reads: () => reads }
}

const signal = new AbortController().signal
const see = (previews: Previews, file: OpenFile, size: 'thumb' | 'big' = 'thumb') =>
  previews.of(file, image, size, signal)

test('a preview is made once, even across a restart', async () => {
  const { previews, store } = setUp()
  const { file, reads } = await openFile(source)
  const first = await see(previews, file)
  expect(await see(previews, file)).toEqual(first)
  await previews.settled()
  expect(await see(setUp(store).previews, file)).toEqual(first)
  expect([first.kind, reads()]).toEqual(['picture', 1])
})

test('the sizes of an image are different previews', async () => {
  const { previews } = setUp()
  const { file } = await openFile(source)
  const [thumb, big] = [await see(previews, file), await see(previews, file, 'big')]
  expect(thumb.version).not.toBe(big.version)
  expect(thumb).toMatchObject({ type: 'image/jpeg' })
  expect(big).toMatchObject({ type: 'image/png' })
})

test('an image that changed has a new preview', async () => {
  const { previews } = setUp()
  const before = await see(previews, (await openFile(source)).file)
  const after = await see(previews, (await openFile(await halves(300, 200).negate().png().toBuffer())).file)
  expect(after.version).not.toBe(before.version)
  expect(after).not.toMatchObject({ bytes: 'bytes' in before && before.bytes })
})

test('concurrent requests for the same preview make it once', async () => {
  const { previews } = setUp()
  const { file, reads } = await openFile(source)
  const seen = await Promise.all(Array.from({ length: 20 }, () => see(previews, file)))
  expect(new Set(seen.map(({ kind }) => kind))).toEqual(new Set(['picture']))
  expect(reads()).toBe(1)
})

test('a request waiting for the same preview can be aborted', async () => {
  const { previews } = setUp()
  const { file } = await openFile(source)
  const first = see(previews, file)
  const gone = AbortSignal.abort(new AppError('incomplete_body'))
  await expect(previews.of(file, image, 'thumb', gone)).rejects.toThrow('incomplete_body')
  expect((await first).kind).toBe('picture')
})

test('a broken image is retried after a day', async () => {
  const { previews, store } = setUp()
  const { file, reads } = await openFile(source.subarray(0, source.length / 2))
  for (const _visit of [1, 2, 3]) {
    expect(await see(previews, file)).toMatchObject({ kind: 'refused', code: 'undecodable' })
  }
  expect(reads()).toBe(1)
  await previews.settled()
  await makeOlder(store, FAILURE_AGE + 1000)
  expect(await see(previews, file)).toMatchObject({ kind: 'refused', code: 'undecodable' })
  expect(reads()).toBe(2)
})

test('a cached preview that cannot be parsed is made again', async () => {
  const { previews, store } = setUp()
  const { file, reads } = await openFile(source)
  const first = await see(previews, file)
  await previews.settled()
  await rewrite(store, bytes => bytes.subarray(0, 60))
  expect(await see(previews, file)).toEqual(first)
  expect(reads()).toBe(2)
})

test('a preview is sent before it is cached, and not made again in between; many wait', async () => {
  const disk = Promise.withResolvers<void>()
  const memory = openMemory()
  const slow: StorageDriver = { ...memory, stage: file => disk.promise.then(() => memory.stage(file)) }
  const { previews } = setUp(slow)
  const { file, reads } = await openFile(source)
  const first = await see(previews, file)
  expect(await see(previews, file)).toEqual(first)
  expect(reads()).toBe(1)
  const others = await Promise.all(Array.from({ length: 32 }, (_, at) => openFile(Buffer.from(`no image ${at}`))))
  const seen = Promise.all(others.map(other => see(previews, other.file)))
  await expect(Promise.race([seen, pause(2000, 'they wait')])).resolves.toBe('they wait')
  disk.resolve()
  expect(new Set((await seen).map(({ kind }) => kind))).toEqual(new Set(['refused']))
  await previews.settled()
  expect(await see(setUp(memory).previews, file)).toEqual(first)
})

test('previews are sent even where none can be cached', async () => {
  const full: StorageDriver = { ...openMemory(), stage: () => Promise.reject(new AppError('no_space')) }
  const { previews } = setUp(full)
  const { file } = await openFile(source)
  expect((await see(previews, file)).kind).toBe('picture')
})

const makeOlder = (store: StorageDriver, by: number) => rewrite(store, bytes => bytes, Date.now() - by)

async function rewrite(store: StorageDriver, change: (bytes: Buffer) => Buffer, modified?: number): Promise<void> {
  for await (const folders of store.list(parsePath('/'))) {
    for (const folder of folders) {
      for await (const files of store.list(folder.path)) {
        for (const { path } of files) {
          const bytes = Buffer.concat(await (await store.read(path)).stream().toArray())
          await writeFile(store, path, Readable.from([change(bytes)]), modified === undefined ? {} : { modified })
        }
      }
    }
  }
}
