import { expect, test } from 'vitest'
import { type FilePath, parsePath, ROOT } from '../../../shared/path.ts'
import { READ_LIMITS, type ReadLimits } from '../read-limits.ts'
import { joined } from '../write/buffer-reader.ts'
import { tar } from '../write/tar.ts'
import { zip } from '../write/zip.ts'
import { indexArchive } from './archive-index.ts'
import { fixture, opened } from './test-archives.ts'

async function* named(...names: string[]) {
  for (const name of names) {
    const facts = { name, kind: 'file' as const, size: 1, modified: 0, mode: 0o644 }
    yield [{ ...facts, content: Buffer.from('x') }]
  }
}

const made = async (write: typeof zip, ...names: string[]) =>
  Buffer.concat(await Array.fromAsync(joined(write(named(...names)))))
const indexed = async (bytes: Buffer, limits: Partial<ReadLimits> = {}) =>
  indexArchive(await opened(bytes), new AbortController().signal, { ...READ_LIMITS, ...limits })
const namesIn = ({ folders }: Awaited<ReturnType<typeof indexed>>, place: FilePath = ROOT) =>
  [...(folders.get(place)?.keys() ?? [])].sort()

test.each([
  ['zip', zip],
  ['tar', tar],
])('names in a %s that lead out of any folder are left out, and counted', async (_name, write) => {
  const names = [
    '../up',
    '/etc/passwd',
    'a/../../up',
    'a\0b',
    `${'n'.repeat(300)}`,
    `${'d/'.repeat(200)}x`,
    'ok',
    './b//c',
  ]
  const index = await indexed(await made(write, ...names))
  expect(namesIn(index)).toEqual(['b', 'ok'])
  expect(namesIn(index, parsePath('/b'))).toEqual(['c'])
  expect(index).toMatchObject({ unnamed: 6, more: false })
})

test('of two members of one name the later is listed, and implicit folders are listed', async () => {
  const index = await indexed(await made(tar, 'a/b/c', 'x', 'x'))
  expect(namesIn(index)).toEqual(['a', 'x'])
  expect(index.folders.get(ROOT)?.get('x')).toMatchObject({ number: 2 })
  expect(index.folders.get(ROOT)?.get('a')).toMatchObject({ kind: 'folder', number: undefined })
})

test.each([
  ['a number of members', 'info-zip.zip', { members: 2 }],
  ['a number of decompressed bytes', 'tree.tar.gz', { unpacked: 10 }],
  ['some time', 'tree.tar.xz', { time: 0 }],
])('listing ends after %s, and reports it', async (_name, name, limits) => {
  expect((await indexed(fixture(name), limits)).more).toBe(true)
})

test('an implicit folder counts as a member', async () => {
  const deep = Array.from({ length: 20 }, (_, at) => `${`${at}/`.repeat(100)}x`)
  expect((await indexed(await made(zip, ...deep), { members: 500 })).more).toBe(true)
})
