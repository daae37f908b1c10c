import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import type { Files } from '../../files/files.ts'
import { createFiles } from '../../files/files-service.ts'
import { openLocal } from '../../storage/local.ts'
import { makeArchive, streamOf } from './archive.ts'
import { formatOf } from './formats.ts'

/** More than the number of individual reads, and than a batch. */
const COUNT = 200
const LARGE = 'large '.repeat(20_000)

let root: string
let files: Files
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'archives-'))
  const storage = await openLocal({ root, stagingKey: Buffer.from('a key for tests only') })
  const service = createFiles({ storage, cluster: openLocalCluster(), globalRules: async () => [] })
  const rules = [{ allow: false, regex: false, regexp: null, path: '/tree/1/secret' }]
  files = await service.for({ scope: '/', perm: { ...ALL_PERMISSIONS, admin: false }, rules, hideDotfiles: false })
  for (let number = 0; number < COUNT; number++) {
    const folder = join(root, 'tree', String(number % 3))
    if (number < 3) await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `${number}.txt`), number % 50 === 7 ? LARGE + number : `content ${number}`)
  }
  await writeFile(join(root, 'tree/1/secret'), 'nobody reads this')
  await symlink('0.txt', join(root, 'tree/0/link'))
  await symlink('nowhere', join(root, 'tree/2/broken'))
})
/** Starts batch readers in advance, or the archive would be done before they are ready. @returns how many are unused */
async function startAhead(): Promise<() => number> {
  const started = [files.batchReader(), files.batchReader()].filter(reader => reader !== undefined)
  await expect.poll(() => started.every(reader => reader.isReady)).toBe(true)
  onTestFinished(() => {
    for (const reader of started) reader.close()
  })
  Object.assign(files, { batchReader: () => started.shift() })
  return () => started.length
}

afterEach(() => rm(root, { recursive: true, force: true }))

async function archive(algo: string) {
  const format = formatOf(algo)
  if (!format) throw new Error('unknown format')
  return makeArchive(files, await files.info(parsePath('/tree')), [], format)
}

/** Names and contents of a stored zip of ours, from its central directory. */
function unzipped(zip: Buffer): Map<string, string> {
  const members = new Map<string, string>()
  let at = zip.readUInt32LE(zip.length - 6)
  for (let count = zip.readUInt16LE(zip.length - 12); count > 0; count--) {
    const [size, named, extra, start] = [24, 28, 30, 42].map((field, index) =>
      index === 1 || index === 2 ? zip.readUInt16LE(at + field) : zip.readUInt32LE(at + field),
    ) as [number, number, number, number]
    const name = zip.toString('utf8', at + 46, at + 46 + named)
    const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
    members.set(name, zip.toString('utf8', from, from + size))
    at += 46 + named + extra
  }
  return members
}

/** The same of a tar with short names. */
function untarred(tar: Buffer): Map<string, string> {
  const members = new Map<string, string>()
  for (let at = 0; tar[at] !== 0; ) {
    const name = tar.toString('utf8', at, tar.indexOf(0, at))
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    members.set(name, tar.toString('utf8', at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
  return members
}

describe.each([
  ['zip', unzipped],
  ['tar', untarred],
] as const)('a %s of very many files', (algo, read) => {
  test('contains each of them with its own content, and lists what is left out', async () => {
    const left = await startAhead()
    const made = await archive(algo)
    const { known } = made
    const bytes = await buffer(streamOf(made))
    // A slow plan announces no length.
    if (known) expect(bytes.length).toBe(known.length)
    const members = read(bytes)
    for (let number = 0; number < COUNT; number++) {
      const content = number % 50 === 7 ? LARGE + number : `content ${number}`
      expect(members.get(`${number % 3}/${number}.txt`)).toBe(content)
    }
    expect(members.get('0/link')).toBe('content 0')
    expect(members.has('1/secret')).toBe(false)
    expect(members.get('_errors.txt')).toContain('broken')
    expect(members.size).toBe(COUNT + 5)
    expect(left()).toBeLessThan(2)
  })

  test.runIf(existsSync('/proc/self/fd'))('releases everything when the reader stops early', async () => {
    await startAhead()
    const before = (await readdir('/proc/self/fd')).length
    for await (const _ of streamOf(await archive(algo))) break
    await expect.poll(async () => (await readdir('/proc/self/fd')).length).toBeLessThanOrEqual(before + 8)
  })
})

test('a file that grows is sent up to its announced length, if any', async () => {
  await startAhead()
  const made = await archive('zip')
  const { known } = made
  await writeFile(join(root, 'tree/2/197.txt'), 'content 197 and more')
  const bytes = await buffer(streamOf(made))
  if (known) expect(bytes.length).toBe(known.length)
  expect(unzipped(bytes).get('2/197.txt')).toBe(known ? 'content 197' : 'content 197 and more')
})

test('a file that shrinks ends an announced archive with an error', async () => {
  await startAhead()
  const made = await archive('zip')
  const { known } = made
  await writeFile(join(root, 'tree/2/197.txt'), 'short')
  const sent = await buffer(streamOf(made)).catch(() => undefined)
  expect(sent && unzipped(sent).get('2/197.txt')).toBe(known ? undefined : 'short')
})
