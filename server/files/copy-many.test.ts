import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { openLocalCluster } from '../cluster/local.ts'
import { openLocal } from '../storage/local.ts'
import type { Files } from './files.ts'
import { createFiles } from './files-service.ts'
import type { TransferNote, TransferRequest } from './transfer.ts'

/** More than two batches of files. */
const COUNT = 600

let root: string
let files: Files
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'copies-'))
  const storage = await openLocal({ root, stagingKey: Buffer.from('a key for tests only') })
  const service = createFiles({ storage, cluster: openLocalCluster(), globalRules: async () => [] })
  files = await service.for({ scope: '/', perm: { ...ALL_PERMISSIONS, admin: false }, rules: [], hideDotfiles: false })
  for (const folder of ['one', 'two/deep']) await mkdir(join(root, 'tree', folder), { recursive: true })
  for (let number = 0; number < COUNT; number++) await writeFile(join(root, placeOf(number)), `content ${number}`)
  await writeFile(join(root, 'tree/large'), Buffer.alloc(2 ** 20, 'large '))
  await symlink('one/0.txt', join(root, 'tree/link'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const p = parsePath
const placeOf = (number: number, top = 'tree') => `${top}/${['one', 'two', 'two/deep'][number % 3]}/${number}.txt`
const copy = (how: Partial<TransferRequest> = {}) =>
  files.transfers.copy(p('/tree'), p('/copy'), { override: false, rename: false, ...how })

async function demandWhole(): Promise<void> {
  for (let number = 0; number < COUNT; number++) {
    expect(await readFile(join(root, placeOf(number, 'copy')), 'utf8')).toBe(`content ${number}`)
  }
  expect((await stat(join(root, 'copy/large'))).size).toBe(2 ** 20)
  expect(await readFile(join(root, 'copy/link'), 'utf8')).toBe('content 0')
  expect((await readdir(join(root, 'copy'), { recursive: true })).length).toBe(COUNT + 5)
}

test('a folder of very many files is copied completely, and all of it is counted', async () => {
  await utimes(join(root, placeOf(7)), 1, 1_000_000)
  const sum = { bytes: 0, entries: 0 }
  await copy({
    progress({ bytes = 0, entries = 0 }) {
      sum.bytes += bytes
      sum.entries += entries
    },
  })
  await demandWhole()
  expect((await stat(join(root, placeOf(7, 'copy')))).mtimeMs).toBe(1_000_000_000)
  expect(sum).toEqual(await files.measure(p('/tree'), new AbortController().signal))
})

test('an aborted copy leaves nothing behind', async () => {
  const end = new AbortController()
  const progress = () => end.abort()
  await expect(copy({ signal: end.signal, progress })).rejects.toThrow()
  expect(await readdir(root)).toEqual(['tree'])
})

test('an interrupted copy is resumed, and keeps no file that only looks whole', async () => {
  const notes: TransferNote[] = []
  const journal = { noted: undefined, note: async (now: TransferNote) => void notes.push(now) }
  const end = new AbortController()
  // Files copied in a batch report both at once.
  const progress = ({ bytes = 0, entries = 0 }) => {
    if (bytes > 0 && entries > 0) end.abort()
  }
  await expect(copy({ journal, signal: end.signal, progress })).rejects.toThrow()
  const noted = notes.at(-1)
  const staged = join(root, noted?.staged ?? '')
  const [corrupted = ''] = (await readdir(staged, { recursive: true })).filter(name => name.endsWith('.txt'))
  const before = await stat(join(staged, corrupted))
  // A state that a power failure can leave.
  await writeFile(join(staged, corrupted), Buffer.alloc(before.size))
  await utimes(join(staged, corrupted), before.atime, before.mtime)
  await copy({ journal: { noted, note: async () => {} } })
  await demandWhole()
})
