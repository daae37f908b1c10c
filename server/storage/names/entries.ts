import type { FolderTotals } from '../../../shared/api/resources.ts'
import { type FilePath, nameOf, trustedChild } from '../../../shared/path.ts'
import { NO_SUM } from '../../../shared/sizes.ts'
import type { FoundEntry, KnownSizes, PathGuard } from '../driver.ts'
import type { FoundNames } from './messages.ts'
import { FACTS, type Known } from './name-pages.ts'

/** What is told while an index knows nothing. */
export const UNKNOWN_SIZES: KnownSizes = Object.freeze({ isComplete: false, total: NO_SUM, count: 0, items: [] })

/** A folder that somebody asked an index about, as a store has it. */
export interface AskedFolder {
  path: FilePath
  canonical: FilePath
  guard: PathGuard | undefined
  /** What a link is; only where there are links. */
  linkAt?: (path: FilePath) => Promise<FoundEntry | undefined>
}

/** What an index tells of a folder, as a store tells it: only what the guard lets pass. */
export async function* entriesIn(
  batches: AsyncIterable<FoundNames>,
  folder: AskedFolder,
): AsyncGenerator<FoundEntry[]> {
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

/** What a folder adds up to; nothing while not all of it was looked at. */
export function totalsIn(sizes: KnownSizes | undefined): FolderTotals | undefined {
  if (!sizes?.isComplete) return undefined
  const { bytes, files, folders, unread } = sizes.total
  return { bytes, files, folders, ...(unread > 0 && { unread }) }
}
