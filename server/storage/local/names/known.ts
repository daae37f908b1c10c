import type { TextMatch } from '../../../../shared/api/search.ts'
import { type FilePath, nameOf, ROOT, trustedChild } from '../../../../shared/path.ts'
import { NO_SUM } from '../../../../shared/sizes.ts'
import type { FoundEntry, KnownNames, KnownSizes, KnownTexts } from '../../driver.ts'
import { locateFolder, pathInside, type Scope } from '../scope.ts'
import { statPath } from '../stat.ts'
import type { FoundNames, NameIndex, TextIndex } from './messages.ts'
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
      const { bytes, files, folders, unread } = known.total
      return { bytes, files, folders, ...(unread > 0 && { unread }) }
    },
    sizes: (folder, most) => sizesOf(index, scope, folder, most),
    want: () => index.want(),
    ...(index.texts && { texts: knownTextsIn(scope, index, index.texts) }),
  }
}

/** What that index knows of texts. */
function knownTextsIn(scope: Scope, index: NameIndex, texts: TextIndex): KnownTexts {
  return {
    async find(folder, wanted, keep) {
      const { inside, canonical } = await placeIn(index, scope, folder)
      if (inside === undefined) return undefined
      const { state, found } = await texts.find(inside, wanted)
      const [start, above] = [inside === ROOT ? '' : inside, folder === ROOT ? 0 : folder.length]
      const look = (files: readonly FoundEntry[]) =>
        texts.look(
          files.map(({ path }) => (start + path.slice(above)) as FilePath),
          wanted,
        )
      return { state, found: lookedInto(entriesIn(scope, found, folder, canonical), keep, look) }
    },
  }
}

/** Files that are looked into together. */
const AT_ONCE = 32

async function* lookedInto(
  batches: AsyncIterable<readonly FoundEntry[]>,
  keep: (file: FoundEntry) => boolean,
  look: (files: readonly FoundEntry[]) => Promise<readonly (TextMatch | undefined)[]>,
): AsyncGenerator<(FoundEntry & { match: TextMatch })[]> {
  for await (const batch of batches) {
    const files = batch.filter(keep)
    for (let at = 0; at < files.length; at += AT_ONCE) {
      const some = files.slice(at, at + AT_ONCE)
      const matches = await look(some)
      yield some.flatMap((file, index) => {
        const match = matches[index]
        return match ? [{ ...file, match }] : []
      })
    }
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
        const [path, place] =
          below === '' ? [folder, canonical] : [trustedChild(folder, below), trustedChild(canonical, below)]
        if (scope.guard && !scope.guard(place)) continue
        const known = { fact: facts[index] ?? 0, disk: disks[index] ?? 0 }
        const entry = await entryOf(scope, path, place, known)
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
