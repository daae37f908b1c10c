import { createHash } from 'node:crypto'
import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FilePath } from '../../../shared/path.ts'
import type { Db, JobItemsTable, JobsTable } from '../../db/schema.ts'
import type { Files } from '../../files/files.ts'
import { beginRun, type DuplicateRow, endRun } from '../../integrity/duplicates.store.ts'
import type { JobPayloads } from '../../jobs/job-kinds.ts'
import type { ItemResult, Tools } from '../../jobs/run.ts'
import { LIMITS } from '../../limits.ts'

/** Bytes at each end of a file that are compared before the whole. */
const END = 64 * 1024

interface Candidate {
  path: FilePath
  canonical: FilePath
  identity: string
  modified: number
  size: number
}

/** A file of a group, with its checksum. */
type Same = Candidate & { sha256: string }

interface Search {
  own: Files
  tools: Pick<Tools, 'signal' | 'progress'>
  skipped: number
}

/** Finds files of the same content below a folder. The groups are written when all are known. */
export async function findDuplicates(
  own: Files,
  { job, item, db }: { job: JobsTable; item: JobItemsTable; db: Db },
  tools: Tools,
): Promise<ItemResult> {
  const { least }: JobPayloads['duplicates'] = JSON.parse(job.payload)
  const folder = item.source as FilePath
  const { placeOf } = own
  const run = { id: job.id, user_id: job.user_id, folder: placeOf(folder), least, at: Date.now(), ended_at: null }
  await beginRun(db, { ...run, files: 0, skipped: 0 })
  const { groups, files, skipped } = await duplicatesBelow(own, folder, least, tools)
  const rows: DuplicateRow[] = []
  for (const [index, group] of groups.entries()) {
    if (rows.length + group.length > LIMITS.duplicateFiles) break
    for (const [position, { identity, modified, size, sha256, canonical }] of group.entries()) {
      const about = { identity, modified, size, sha256, place: placeOf(canonical) }
      rows.push({ run: job.id, grp: index + 1, position, ...about })
    }
  }
  await endRun(db, { id: job.id, files, skipped, at: Date.now() }, rows)
  return { state: 'done' }
}

/**
 * Groups of files of the same content below a folder: of the same size, then with the same ends, then with the same
 * SHA-256. Names of one file are no duplicates. The groups with the most bytes to gain come first, in each the oldest file.
 */
export async function duplicatesBelow(own: Files, folder: FilePath, least: number, tools: Search['tools']) {
  const search: Search = { own, tools, skipped: 0 }
  const { groups: bySize, files } = await candidates(search, folder, least)
  const groups: Same[][] = []
  for (const group of bySize) groups.push(...(await sameIn(search, group)))
  const gain = ([first, ...others]: Same[]) => (first?.size ?? 0) * others.length
  groups.sort((a, b) => gain(b) - gain(a))
  for (const group of groups) group.sort((a, b) => a.modified - b.modified)
  return { groups, files, skipped: search.skipped }
}

/** Files of at least a size, those of one size together, if there are several. */
async function candidates({ own, tools }: Search, folder: FilePath, least: number) {
  const bySize = new Map<number, Candidate[]>()
  const seen = new Set<string>()
  let files = 0
  for await (const group of await own.walk(folder, { signal: tools.signal })) {
    for (const { entry } of group) {
      if (entry?.kind !== 'file' || entry.isLink) continue
      files += 1
      const { size, identity, path, canonical, modified } = entry
      if (size < least || seen.has(identity)) continue
      seen.add(identity)
      const same = bySize.get(size) ?? []
      same.push({ path, canonical, identity, modified, size })
      bySize.set(size, same)
    }
    tools.progress({ entries: group.length })
  }
  return { groups: [...bySize.values()].filter(({ length }) => length > 1), files }
}

/** The groups of the same content among files of the same size. */
async function sameIn(search: Search, files: readonly Candidate[]): Promise<Same[][]> {
  const { own, tools } = search
  const byEnds = await grouped(search, files, file => digestOfEnds(own, file, tools.signal))
  const groups: Same[][] = []
  for (const [, near] of byEnds) {
    const byContent = await grouped(search, near, file => own.checksums.of(file.path, tools.signal))
    for (const [sha256, same] of byContent) groups.push(same.map(file => ({ ...file, sha256 })))
  }
  return groups
}

/** Files by a key that is read from each; only keys that several have. */
async function grouped(search: Search, files: readonly Candidate[], keyOf: (file: Candidate) => Promise<string>) {
  const { signal, progress } = search.tools
  const byKey = new Map<string, Candidate[]>()
  for (const file of files) {
    try {
      const key = await keyOf(file)
      byKey.set(key, [...(byKey.get(key) ?? []), file])
      progress({ bytes: file.size })
    } catch {
      signal.throwIfAborted()
      search.skipped += 1
    }
  }
  return [...byKey].filter(([, { length }]) => length > 1)
}

async function digestOfEnds(own: Files, { path, size }: Candidate, signal: AbortSignal): Promise<string> {
  const file = await own.open(path)
  try {
    const hash = createHash('sha256')
    const last = Math.max(size - END, END)
    const ranges = [
      { start: 0, end: Math.min(END, size) - 1 },
      { start: last, end: size - 1 },
    ]
    for (const range of ranges.filter(({ start, end }) => start <= end)) {
      hash.update(await buffer(addAbortSignal(signal, file.stream(range))))
    }
    return hash.digest('hex')
  } finally {
    await file.close()
  }
}
