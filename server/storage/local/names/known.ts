import type { TextMatch } from '../../../../shared/api/search.ts'
import { type FilePath, ROOT } from '../../../../shared/path.ts'
import type { FoundEntry, KnownNames, KnownSizes, KnownTexts } from '../../driver.ts'
import { type AskedFolder, entriesIn, totalsIn, UNKNOWN_SIZES } from '../../names/entries.ts'
import type { NameIndex, TextIndex } from '../../names/messages.ts'
import { locateFolder, pathInside, type Scope } from '../resolve-path.ts'
import { statPath } from '../stat.ts'

/** What an index knows of the names in a scope; see the driver contract. */
export function knownNamesIn(scope: Scope, index: NameIndex): KnownNames {
  return {
    async find(folder, words) {
      const { inside, canonical } = await placeIn(index, scope, folder)
      const batches = inside === undefined ? undefined : await index.find(inside, words)
      return batches && entriesIn(batches, askedFolder(scope, folder, canonical))
    },
    totals: async folder => totalsIn(await sizesOf(index, scope, folder, 0)),
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
      return { state, found: lookedInto(entriesIn(found, askedFolder(scope, folder, canonical)), keep, look) }
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

/** What a link is depends on the scope, so each is followed; they are few. */
export function askedFolder(scope: Scope, path: FilePath, canonical: FilePath): AskedFolder {
  return { path, canonical, guard: scope.guard, linkAt: link => statPath(scope, link).catch(() => undefined) }
}
