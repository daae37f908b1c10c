import { expect, test } from 'vitest'
import type { KeepReplaced, KeptThings, ReplacedFile, StorageDriver } from '../driver.ts'
import { writeFile } from '../write-file.ts'
import { body, p, put, servedAt, type TestPlace } from './place.ts'

const ID = '01jd2m8w3k6p9qrs4t5v7x0yza'

function keptOf(store: StorageDriver): KeptThings {
  if (!store.kept) throw new Error('this store keeps nothing')
  return store.kept
}

function keeping(id = ID, act: (file: ReplacedFile) => Promise<void> = async () => {}) {
  const reports: ReplacedFile[] = []
  const keep: KeepReplaced = {
    id,
    username: 'anna',
    mayCopy: 2 ** 20,
    async kept(file) {
      reports.push(file)
      await act(file)
    },
  }
  return { keep, reports }
}

const write = (store: StorageDriver, path: string, content: string, how: Parameters<typeof writeFile>[3]) =>
  writeFile(store, p(path), body(content), how)

async function textOf(store: StorageDriver, { at }: ReplacedFile): Promise<string> {
  const view = await keptOf(store).open(at, () => true)
  const file = await view.read(p(`/${at.name}`))
  const chunks: Buffer[] = []
  for await (const chunk of file.stream()) chunks.push(chunk as Buffer)
  await file.close()
  return Buffer.concat(chunks).toString()
}

const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    thrown => thrown.code,
  )

/** A file that is replaced is kept whole, and reported before it gives way. */
export function keepReplacedSuite(place: () => TestPlace): void {
  test('VERS-01 a replaced file is kept with its content, time, mode and identity', async () => {
    const { store } = place()
    await put(store, '/docs/a.txt', 'old')
    const before = await store.stat(p('/docs/a.txt'))
    const { keep, reports } = keeping()
    const now = await write(store, '/docs/a.txt', 'new', { keep })
    expect(reports).toHaveLength(1)
    const [file] = reports
    if (!file || !before) throw new Error('nothing was kept')
    expect(file).toMatchObject({
      place: servedAt(place(), '/docs/a.txt'),
      identity: before.identity,
      made: now.identity,
    })
    expect(file.was).toMatchObject({ size: 3, identity: before.identity, modified: before.modified, mode: before.mode })
    expect([await place().content('inside/docs/a.txt'), await textOf(store, file)]).toEqual(['new', 'old'])
    const there = await keptOf(store).look(file.at)
    expect([there?.identity, there?.modified, there?.mode]).toEqual([before.identity, before.modified, before.mode])
  })

  test('a new file keeps nothing', async () => {
    const { store } = place()
    const { keep, reports } = keeping()
    await write(store, '/a.txt', 'new', { keep })
    await write(store, '/b.txt', 'new', { keep, ifAbsent: true })
    expect(reports).toEqual([])
  })

  test('the old content is at its path until it is recorded', async () => {
    const { store } = place()
    await put(store, '/a.txt', 'old')
    const seen: (string | undefined)[] = []
    const { keep } = keeping(ID, async () => void seen.push(await place().content('inside/a.txt')))
    await write(store, '/a.txt', 'new', { keep })
    expect(seen).toEqual(['old'])
  })

  test('what cannot be recorded is not replaced, and leaves nothing', async () => {
    const { store } = place()
    await put(store, '/a.txt', 'old')
    const { keep, reports } = keeping(ID, () => Promise.reject(Object.assign(new Error('full'), { code: 'no_space' })))
    expect(await codeOf(write(store, '/a.txt', 'new', { keep }))).not.toBe('done')
    expect(await place().content('inside/a.txt')).toBe('old')
    expect(reports[0] && (await keptOf(store).look(reports[0].at))).toBeUndefined()
  })

  test('a version that the writer does not expect is neither replaced nor kept', async () => {
    const { store } = place()
    await put(store, '/a.txt', 'old')
    const { keep, reports } = keeping()
    expect(await codeOf(write(store, '/a.txt', 'new', { keep, ifMatch: 'another' }))).toBe('precondition_failed')
    expect([await place().content('inside/a.txt'), reports]).toEqual(['old', []])
  })

  test('VERS-02 of a file that another program replaces meanwhile, its content is kept, or the write is refused', async () => {
    const { store } = place()
    for (const ifMatch of [false, true]) {
      const path = ifMatch ? '/a.txt' : '/b.txt'
      await put(store, path, 'old')
      const { version } = (await store.stat(p(path))) ?? { version: '' }
      let isFirst = true
      const exchange = async () => {
        if (isFirst) await put(store, path, 'foreign')
        isFirst = false
      }
      const { keep, reports } = keeping(ifMatch ? ID : ID.replace('01', '02'), exchange)
      const ended = await codeOf(write(store, path, 'new', { keep, ...(ifMatch && { ifMatch: version }) }))
      const [now, last] = [await place().content(`inside${path}`), reports.at(-1)]
      if (ifMatch) expect([ended, now]).toEqual(['precondition_failed', 'foreign'])
      else expect([ended, now, last && (await textOf(store, last))]).toEqual(['done', 'new', 'foreign'])
    }
  })

  test('what is dropped is gone, and the file stays', async () => {
    const { store } = place()
    await put(store, '/a.txt', 'old')
    const { keep, reports } = keeping()
    await write(store, '/a.txt', 'new', { keep })
    const at = reports[0]?.at
    if (!at) throw new Error('nothing was kept')
    for (let round = 0; round < 2; round += 1) await keptOf(store).drop(at)
    expect([await keptOf(store).look(at), await place().content('inside/a.txt')]).toEqual([undefined, 'new'])
  })

  test('a view of a version shows nothing else', async () => {
    const { store } = place()
    await put(store, '/a.txt', 'one')
    const [one, two] = [keeping(ID), keeping(ID.replace('01', '02'))]
    await write(store, '/a.txt', 'two', { keep: one.keep })
    await write(store, '/a.txt', 'three', { keep: two.keep })
    const [first, second] = [one.reports[0], two.reports[0]]
    if (!first || !second) throw new Error('nothing was kept')
    const view = await keptOf(store).open(first.at, () => true)
    expect(await codeOf(view.stat(p(`/${second.at.name}`)))).toBe('forbidden')
    expect(await codeOf(view.stat(p('/')))).toBe('forbidden')
  })
}
