import { expect, test } from 'vitest'
import type { KeepReplaced, ReplacedFile, StorageDriver } from '../driver.ts'
import { p, put, servedAt, type TestPlace } from './place.ts'

const ID = '01jd2m8w3k6p9qrs4t5v7x0yza'

function keeping(act: (file: ReplacedFile) => Promise<unknown> = async () => {}) {
  const reports: ReplacedFile[] = []
  const kept: KeepReplaced['kept'] = async file => {
    reports.push(file)
    await act(file)
  }
  return { keep: { id: ID, username: 'anna', mayCopy: 2 ** 20, kept }, reports }
}

async function textOf({ kept }: StorageDriver, file: ReplacedFile | undefined): Promise<string | undefined> {
  if (!kept || !file) return undefined
  const held = await (await kept.open(file.at, () => true)).read(p(`/${file.at.name}`))
  const chunks: Buffer[] = []
  for await (const chunk of held.stream()) chunks.push(chunk as Buffer)
  await held.close()
  return Buffer.concat(chunks).toString()
}

const codeOf = (act: Promise<unknown> | undefined) =>
  Promise.resolve(act).then(
    () => 'done',
    thrown => thrown.code,
  )

/** A move over a file: the same object is at the new path, and what gave way is kept. */
export function moveOverSuite(place: () => TestPlace): void {
  /** Two files, and what is at their paths. */
  async function two() {
    const { store } = place()
    await put(store, '/docs/a.txt', 'moved')
    await put(store, '/b.txt', 'old')
    const before = await store.stat(p('/docs/a.txt'))
    const contents = () => Promise.all(['docs/a.txt', 'b.txt'].map(path => place().content(`inside/${path}`)))
    const move = (how: Parameters<NonNullable<StorageDriver['move']>>[2]) =>
      codeOf(store.move?.(p('/docs/a.txt'), p('/b.txt'), how))
    return { store, before, contents, move }
  }

  test('VERS-01 a file moves over another one as the object that it is, and that one is kept first; or neither changes', async () => {
    const { store, before, contents, move } = await two()
    const seen: unknown[] = []
    const { keep, reports } = keeping(async () => seen.push(await contents()))
    const ended = await move({ over: { keep } })
    if (ended === 'unsupported') return expect([await contents(), reports]).toEqual([['moved', 'old'], []])
    expect([ended, await contents(), seen]).toEqual(['done', [undefined, 'moved'], [['moved', 'old']]])
    const there = await store.stat(p('/b.txt'))
    expect([there?.identity, there?.modified, there?.mode]).toEqual([before?.identity, before?.modified, before?.mode])
    expect(reports).toMatchObject([{ place: servedAt(place(), '/b.txt'), made: before?.identity, was: { size: 3 } }])
    expect(await textOf(store, reports[0])).toBe('old')
  })

  test('without a version that is kept, the file gives way alike', async () => {
    const { contents, move } = await two()
    if ((await move({ over: {} })) !== 'unsupported') expect(await contents()).toEqual([undefined, 'moved'])
  })

  test('HIST-05 what cannot be recorded is not replaced, and no other version of it is', async () => {
    const { store, contents, move } = await two()
    const { keep, reports } = keeping(() => Promise.reject(Object.assign(new Error('full'), { code: 'no_space' })))
    expect(await move({ over: { keep } })).not.toBe('done')
    expect(reports[0] && (await store.kept?.look(reports[0].at))).toBeUndefined()
    const refused = await move({ over: { ifMatch: 'another' } })
    if (refused !== 'unsupported') expect(refused).toBe('precondition_failed')
    expect(await contents()).toEqual(['moved', 'old'])
  })

  test('VERS-02 of a file that another program exchanges meanwhile, its content is kept', async () => {
    const { store, contents, move } = await two()
    const { keep, reports } = keeping(async () => {
      if (reports.length === 1) await put(store, '/b.txt', 'foreign')
    })
    if ((await move({ over: { keep } })) === 'unsupported') return
    expect([await contents(), await textOf(store, reports.at(-1))]).toEqual([[undefined, 'moved'], 'foreign'])
  })

  test('a folder neither gives way nor replaces a file', async () => {
    const { store, contents } = await two()
    await store.mkdir(p('/folder'))
    for (const [from, to] of [
      ['/b.txt', '/folder'],
      ['/folder', '/b.txt'],
    ] as const)
      expect(['exists', 'unsupported']).toContain(await codeOf(store.move?.(p(from), p(to), { over: {} })))
    expect(await contents()).toEqual(['moved', 'old'])
  })
}
