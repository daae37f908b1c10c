import { type FilePath, nameOf, trustedChild } from '../../../../shared/path.ts'
import { NO_SUM } from '../../../../shared/sizes.ts'
import type { FoundEntry, KnownNames, KnownSizes } from '../../driver.ts'
import { locateFolder, pathInside, type Scope } from '../scope.ts'
import { statPath } from '../stat.ts'
import type { FoundNames, NameIndex } from './messages.ts'
import { FACTS, type Known } from './pages.ts'

const UNKNOWN_SIZES: KnownSizes = Object.freeze({ isComplete: false, total: NO_SUM, count: 0, items: [] })

/** What an index knows of the names in a scope; see the driver contract. */
export function knownNamesIn(scope: Scope, index: NameIndex): KnownNames {
  return {
    async find(folder, words) {
      const { inside, canonical } = await placeIn(index, scope, folder)
      const batches = inside === undefined ? undefined : await index.find(inside, words)
      return batches && entriesIn(scope, batches, folder, canonical)
    },
    async totals(folder) {
      const known = await sizesOf(index, scope, folder, 0)
      if (!known?.isComplete) return undefined
      const { bytes, files, folders } = known.total
      return { bytes, files, folders }
    },
    sizes: (folder, most) => sizesOf(index, scope, folder, most),
    want: () => index.want(),
  }
}

async function sizesOf(
  index: NameIndex,
  scope: Scope,
  folder: FilePath,
  most: number,
): Promise<KnownSizes | undefined> {
  const { inside } = await placeIn(index, scope, folder)
  return inside === undefined ? undefined : ((await index.sizes(inside, most)) ?? UNKNOWN_SIZES)
}

/** Where a folder lies below the indexed one, if it does. */
async function placeIn({ root }: NameIndex, scope: Scope, folder: FilePath) {
  const { handle, canonical } = await locateFolder(scope, folder)
  handle.close()
  return { inside: pathInside(root, handle.real), canonical }
}

async function* entriesIn(
  scope: Scope,
  batches: AsyncIterable<FoundNames>,
  folder: FilePath,
  canonical: FilePath,
): AsyncGenerator<FoundEntry[]> {
  for await (const { paths, facts, disks } of batches) {
    const entries: FoundEntry[] = []
    if (facts.length > 0) {
      for (const [index, below] of paths.split('\0').entries()) {
        const place = trustedChild(canonical, below)
        if (scope.guard && !scope.guard(place)) continue
        const known = { fact: facts[index] ?? 0, disk: disks[index] ?? 0 }
        const entry = await entryOf(scope, trustedChild(folder, below), place, known)
        if (entry) entries.push(entry)
      }
    }
    yield entries
  }
}

/** What a link is depends on the scope, so each is followed; they are few. */
function entryOf(
  scope: Scope,
  path: FilePath,
  canonical: FilePath,
  { fact, disk }: Known,
): FoundEntry | Promise<FoundEntry | undefined> {
  if (fact === FACTS.link) return statPath(scope, path).catch(() => undefined)
  const kind = fact === FACTS.folder ? 'folder' : fact === FACTS.special ? 'special' : 'file'
  return { name: nameOf(path), path, canonical, kind, isLink: false, size: Math.max(0, fact), disk }
}
