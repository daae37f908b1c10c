import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConflictChoice } from '../../shared/conflicts.ts'
import { type FilePath, parsePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { openLocal } from '../storage/local.ts'
import { filesOn } from './test-files-on.ts'
import type { TransferNote } from './transfer.ts'

let root: string
let storage: StorageDriver
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'transfer-'))
  storage = await openLocal({ root, stagingKey: Buffer.from('a key for tests only') })
  await put('tree/a.txt', 'alpha')
  await put('tree/sub/b.txt', 'beta')
})
afterEach(() => rm(root, { recursive: true, force: true }))

const p = parsePath
const PLAIN = { override: false, rename: false }
const choosing = (choice: ConflictChoice | undefined) => ({ ...PLAIN, choose: () => choice })

async function put(path: string, content: string, seconds?: number): Promise<void> {
  await mkdir(join(root, path, '..'), { recursive: true })
  await writeFile(join(root, path), content)
  if (seconds !== undefined) await utimes(join(root, path), seconds, seconds)
}
const has = async (path: string) => readFile(join(root, path), 'utf8').catch(() => undefined)
const names = async (path = '') => (await readdir(join(root, path), { recursive: true })).sort()

/** The same disk, as if the source and destination of every move were on different disks. */
function apart(store: StorageDriver): StorageDriver {
  return {
    ...store,
    within: async (folder, guard) => apart(await store.within(folder, guard)),
    move: () => Promise.reject(new AppError('unsupported')),
  }
}

describe('a folder that is copied', () => {
  test('appears complete, and with its modification times', async () => {
    await put('tree/a.txt', 'alpha', 1_000_000)
    const files = await filesOn(storage)
    const seen: string[][] = []
    const progress = () => void files.list(p('/')).then(({ items }) => seen.push(items.map(({ name }) => name)))
    await files.transfers.copy(p('/tree'), p('/copy'), { ...PLAIN, progress })
    expect(await names('copy')).toEqual(['a.txt', 'sub', 'sub/b.txt'])
    expect((await stat(join(root, 'copy/a.txt'))).mtimeMs).toBe(1_000_000_000)
    expect(seen.flat().filter(name => name.startsWith('.'))).toEqual([])
  })

  test('is not there at all when it is aborted, and leaves nothing else', async () => {
    const files = await filesOn(storage)
    const stop = new AbortController()
    const how = { ...PLAIN, signal: stop.signal, progress: () => stop.abort(new AppError('incomplete_body')) }
    await expect(files.transfers.copy(p('/tree'), p('/copy'), how)).rejects.toMatchObject({ code: 'incomplete_body' })
    expect(await names()).toEqual(['tree', 'tree/a.txt', 'tree/sub', 'tree/sub/b.txt'])
  })

  test.each<[ConflictChoice, Record<string, string | undefined>]>([
    ['replace', { 'to/a.txt': 'alpha', 'to/sub/b.txt': 'beta', 'to/own.txt': 'own' }],
    ['skip', { 'to/a.txt': 'other', 'to/sub/b.txt': 'old b' }],
    ['keepBoth', { 'to/a.txt': 'other', 'to/sub/b.txt': 'old b', 'to(1)/a.txt': 'alpha' }],
    ['skipIdentical', { 'to/a.txt': 'alpha', 'to/sub/b.txt': 'beta' }],
    ['replaceOlder', { 'to/a.txt': 'other', 'to/sub/b.txt': 'beta' }],
  ])('onto an existing one follows the choice: %s', async (choice, expected) => {
    await put('to/own.txt', 'own')
    await put('to/a.txt', 'other', 4_000_000_000)
    await put('to/sub/b.txt', 'old b', 1_000_000)
    await (await filesOn(storage)).transfers.copy(p('/tree'), p('/to'), choosing(choice))
    for (const [path, content] of Object.entries(expected)) expect([path, await has(path)]).toEqual([path, content])
  })

  test('follows a choice for each path', async () => {
    await put('to/a.txt', 'other')
    await put('to/sub/b.txt', 'old b')
    const choices: Record<string, ConflictChoice> = { '/to/a.txt': 'keepBoth', '/to/sub/b.txt': 'skip' }
    const choose = (path: FilePath) => choices[path] ?? 'replace'
    await (await filesOn(storage)).transfers.copy(p('/tree'), p('/to'), { ...PLAIN, choose })
    expect(await names('to')).toEqual(['a(1).txt', 'a.txt', 'sub', 'sub/b.txt'])
    expect(await has('to/sub/b.txt')).toBe('old b')
  })

  test('is resumed after an interruption, or recognised as complete', async () => {
    const files = await filesOn(storage)
    let noted: TransferNote | undefined
    const note = async (now: TransferNote) => {
      noted = now
    }
    await files.transfers.copy(p('/tree'), p('/copy'), { ...PLAIN, journal: { noted: undefined, note } })
    expect(await files.transfers.copy(p('/tree'), p('/copy'), { ...PLAIN, journal: { noted, note } })).toBe('/copy')
    expect(await names()).toHaveLength(8)
    await put('copy/later.txt', 'later')
    await rm(join(root, 'copy'), { recursive: true })
    await put('copy/mine.txt', 'not ours')
    const again = files.transfers.copy(p('/tree'), p('/copy'), { ...PLAIN, journal: { noted, note } })
    await expect(again).rejects.toMatchObject({ code: 'exists' })
    expect(await has('copy/mine.txt')).toBe('not ours')
  })
})

describe('a move to another disk', () => {
  test('removes the source once everything is copied', async () => {
    await (await filesOn(apart(storage))).transfers.move(p('/tree'), p('/moved'), PLAIN)
    expect(await names()).toEqual(['moved', 'moved/a.txt', 'moved/sub', 'moved/sub/b.txt'])
  })

  test('keeps a source that changed during the move', async () => {
    const files = await filesOn(apart(storage))
    let writing: Promise<void> | undefined
    const progress = () => {
      writing ??= put('tree/new.txt', 'new').then(() => put('tree/a.txt', 'changed'))
    }
    await files.transfers.move(p('/tree'), p('/moved'), { ...PLAIN, progress }).catch(() => {})
    await writing
    const kept = [await has('tree/new.txt'), await has('moved/new.txt')]
    expect(kept).toContain('new')
    expect([await has('tree/a.txt'), await has('moved/a.txt')]).toContain('changed')
  })

  test('refuses what a copy would leave out', async () => {
    await symlink('sub', join(root, 'tree/link'))
    const moving = (await filesOn(apart(storage))).transfers.move(p('/tree'), p('/moved'), PLAIN)
    await expect(moving).rejects.toMatchObject({ code: 'unsupported' })
    expect(await readdir(root)).toEqual(['tree'])
    expect(await has('tree/link/b.txt')).toBe('beta')
  })

  test('MOVE-01 that was interrupted between the copy and the removal is finished', async () => {
    const files = await filesOn(apart(storage))
    const notes: TransferNote[] = []
    const note = async (now: TransferNote) => void notes.push(now)
    await files.transfers.copy(p('/tree'), p('/moved'), { ...PLAIN, journal: { noted: undefined, note } })
    await rm(join(root, 'tree/a.txt'))
    const noted = notes.at(-1)
    expect(await files.transfers.move(p('/tree'), p('/moved'), { ...PLAIN, journal: { noted, note } })).toBe('/moved')
    expect(await names()).toEqual(['moved', 'moved/a.txt', 'moved/sub', 'moved/sub/b.txt'])
  })
})

test('BREN-01 a move that is resumed leaves another file at the old path, also one of the same size and time', async () => {
  const files = await filesOn(storage)
  for (const [name, text] of [
    ['one.txt', 'one'],
    ['two.txt', 'two'],
  ] as const) {
    await put(name, text)
    await utimes(join(root, name), 1_700_000_000, 1_700_000_000)
  }
  const notes: TransferNote[] = []
  const note = async (now: TransferNote) => void notes.push(now)
  await files.transfers.move(p('/one.txt'), p('/three.txt'), { ...PLAIN, journal: { noted: undefined, note } })
  await files.transfers.move(p('/two.txt'), p('/one.txt'), PLAIN)
  const again = files.transfers.move(p('/one.txt'), p('/three.txt'), {
    ...PLAIN,
    journal: { noted: notes.at(-1), note },
  })
  expect(await again).toBe('/three.txt')
  expect([await has('one.txt'), await has('three.txt')]).toEqual(['two', 'one'])
})

test.each([
  ['one', (store: StorageDriver) => store],
  ['another', apart],
])('a file replaces one on %s disk by a move, also in a folder that merges', async (which, disk) => {
  await put('to/a.txt', 'old')
  await put('c.txt', 'gamma')
  const inodes = async (...paths: string[]) => Promise.all(paths.map(path => stat(join(root, path)).then(s => s.ino)))
  const before = await inodes('tree/a.txt', 'c.txt')
  const { transfers } = await filesOn(disk(storage))
  await transfers.move(p('/tree'), p('/to'), choosing('replace'))
  expect([await names(), await has('to/a.txt')]).toEqual([
    ['c.txt', 'to', 'to/a.txt', 'to/sub', 'to/sub/b.txt'],
    'alpha',
  ])
  const merged = await inodes('to/a.txt', 'c.txt')
  await transfers.move(p('/c.txt'), p('/to/a.txt'), choosing('replace'))
  expect([await names(), await has('to/a.txt')]).toEqual([['to', 'to/a.txt', 'to/sub', 'to/sub/b.txt'], 'gamma'])
  const [last] = await inodes('to/a.txt')
  const isSame = [merged[0] === before[0], last === before[1]]
  expect(isSame).toEqual(which === 'one' ? [true, true] : [false, false])
})

test('entries skipped in a merging move stay at the source', async () => {
  await put('to/a.txt', 'other')
  await (await filesOn(storage)).transfers.move(p('/tree'), p('/to'), choosing('skip'))
  await (await filesOn(storage)).transfers.move(p('/tree'), p('/to'), {
    ...PLAIN,
    choose: path => (path === '/to' ? 'replace' : 'skip'),
  })
  expect(await names()).toEqual(['to', 'to/a.txt', 'to/sub', 'to/sub/b.txt', 'tree', 'tree/a.txt'])
})

test('a resumed copy includes nothing unfinished of an earlier attempt', async () => {
  const staged = (await storage.trees?.reserve(p('/copy'))) ?? ''
  await storage.trees?.store(staged, p('/copy'))
  await put(`${staged}${staged}`, 'what a write leaves when the power goes')
  await put(`${staged}/a.txt`, 'half')
  const noted = { goal: p('/copy'), fresh: true, identity: '', size: 0, modified: 0, staged }
  const journal = { noted, note: async () => {} }
  await (await filesOn(storage)).transfers.copy(p('/tree'), p('/copy'), { ...PLAIN, journal })
  expect(await names()).toEqual(['copy', 'copy/a.txt', 'copy/sub', 'copy/sub/b.txt', ...TREE])
  expect(await has('copy/a.txt')).toBe('alpha')
})

const TREE = ['tree', 'tree/a.txt', 'tree/sub', 'tree/sub/b.txt']
