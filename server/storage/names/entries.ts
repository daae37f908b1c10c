import type { FolderTotals } from '../../../shared/api/resources.ts'
import { type FilePath, nameOf, trustedChild } from '../../../shared/path.ts'
import { NO_SUM } from '../../../shared/sizes.ts'
import type { FoundEntry, KnownSizes, PathGuard } from '../driver.ts'
import type { HitBatch } from './messages.ts'
import { FACTS, type Known } from './name-pages.ts'

/** The result while an index knows nothing. */
export const UNKNOWN_SIZES: KnownSizes = Object.freeze({ isComplete: false, total: NO_SUM, count: 0, items: [] })

/** A queried folder, from the store's point of view. */
export interface AskedFolder {
  path: FilePath
  canonical: FilePath
  guard: PathGuard | undefined
  /** Resolves a link; only where there are links. */
  linkAt?: (path: FilePath) => Promise<FoundEntry | undefined>
}

/** Index hits as entries of a store, filtered by the guard. */
export async function* entriesIn(batches: AsyncIterable<HitBatch>, folder: AskedFolder): AsyncGenerator<FoundEntry[]> {
  for await (const { paths, facts, disks } of batches) {
    const entries: FoundEntry[] = []
    if (facts.length > 0) {
      for (const [index, below] of paths.split('\0').entries()) {
        const [path, place] =
          below === ''
            ? [folder.path, folder.canonical]
            : [trustedChild(folder.path, below), trustedChild(folder.canonical, below)]
        if (folder.guard && !folder.guard(place)) continue
        const known = { fact: facts[index] ?? 0, disk: disks[index] ?? 0 }
        const entry = await entryOf(folder, path, place, known)
        if (entry) entries.push(entry)
      }
    }
    yield entries
  }
}

function entryOf(
  { linkAt }: AskedFolder,
  path: FilePath,
  canonical: FilePath,
  { fact, disk }: Known,
): FoundEntry | Promise<FoundEntry | undefined> | undefined {
  if (fact === FACTS.link) return linkAt?.(path)
  return {
    name: nameOf(path),
    path,
    canonical,
    kind: KINDS.get(fact) ?? 'file',
    isLink: false,
    size: Math.max(0, fact),
    disk,
  }
}

const KINDS = new Map<number, FoundEntry['kind']>([
  [FACTS.folder, 'folder'],
  [FACTS.special, 'special'],
  [FACTS.unread, 'unread'],
])

/** The totals of a folder; `undefined` while the scan is incomplete. */
export function totalsIn(sizes: KnownSizes | undefined): FolderTotals | undefined {
  if (!sizes?.isComplete) return undefined
  const { bytes, files, folders, unread } = sizes.total
  return { bytes, files, folders, ...(unread > 0 && { unread }) }
}
