import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { createFiles } from '../../files/files-service.ts'
import { openMemory } from '../../storage/memory.ts'
import { writeFile } from '../../storage/write-file.ts'
import { joined } from '../write/buffer-reader.ts'
import { zip } from '../write/zip.ts'
import { Budget } from './budget.ts'
import { type ExtractNote, extractArchive } from './extract.ts'

const LIMITS = { bytes: 1e9, ratio: 200, members: 1000, depth: 64 }
const OUT = parsePath('/out')

async function fixture() {
  const storage = openMemory()
  const how = { storage, cluster: openLocalCluster(), globalRules: async () => [] }
  const files = await createFiles(how).for({ scope: '/', perm: ALL_PERMISSIONS, rules: [], hideDotfiles: false })
  return { storage, files }
}

async function* members(count: number) {
  for (let at = 0; at < count; at++) {
    const facts = { name: `f${at}.txt`, kind: 'file' as const, size: 4, modified: 1_700_000_000_000, mode: 0o644 }
    yield [{ ...facts, content: Buffer.from('text') }]
  }
}

test('an interrupted extraction resumes where it was, also with the names it chose', async () => {
  const { storage, files } = await fixture()
  await writeFile(storage, parsePath('/a.zip'), Readable.from(joined(zip(members(10)))), {})
  for (let at = 0; at < 10; at++) await writeFile(storage, parsePath(`/out/f${at}.txt`), Readable.from(['mine']), {})
  let noted: ExtractNote | undefined
  const attempt = (most: number) => {
    const stop = new AbortController()
    let done = 0
    return extractArchive(files, parsePath('/a.zip'), OUT, {
      limits: LIMITS,
      choose: () => 'keepBoth',
      signal: stop.signal,
      progress: ({ entries = 0 }) => {
        done += entries
        if (done === most) stop.abort(new Error('stopped'))
      },
      noted,
      note: async now => {
        noted = now
      },
      kept: () => {},
      refused: async ({ name, code }) => expect.unreachable(`${name}: ${code}`),
    })
  }
  await expect(attempt(4)).rejects.toThrow('stopped')
  await attempt(100)
  const { items } = await files.list(OUT)
  expect(items.map(({ name }) => name).sort()).toEqual(
    Array.from({ length: 10 }, (_, at) => [`f${at}(1).txt`, `f${at}.txt`])
      .flat()
      .sort(),
  )
})

test.each([
  ['bytes', { bytes: 10 }],
  ['members', { members: 1 }],
])('more %s than allowed are refused in advance, and while extracting', async (_name, limits) => {
  const declared = { bytes: 11, members: 2 }
  expect(() => new Budget({ ...LIMITS, ...limits }, 1e6).demand(declared)).toThrow('body_too_large')
  const budget = new Budget({ ...LIMITS, ...limits }, 1e6)
  const spend = async () => {
    for (let at = 0; at < 2; at++) {
      budget.member()
      for await (const _ of budget.spent(Readable.from([Buffer.alloc(6)])));
    }
  }
  await expect(spend()).rejects.toMatchObject({ code: 'body_too_large' })
})

test('the compression ratio is limited only for large output', () => {
  const check = (bytes: number, packed: number) => new Budget(LIMITS, packed).demand({ bytes, members: 1 })
  expect(() => check(60_000_000, 1000)).not.toThrow()
  expect(() => check(199_000_000, 1_000_000)).not.toThrow()
  expect(() => check(201_000_000, 1_000_000)).toThrow('body_too_large')
})
