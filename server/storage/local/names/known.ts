import type { TextMatch } from '../../../../shared/api/search.ts'
import { type FilePath, ROOT } from '../../../../shared/path.ts'
import type { FoundEntry, KnownNames, KnownSizes, KnownTexts } from '../../driver.ts'
import { type AskedFolder, entriesIn, totalsIn, UNKNOWN_SIZES } from '../../names/entries.ts'
import type { NameIndex, TextIndex } from '../../names/messages.ts'
import { locateFolder, pathInside, type Scope } from '../resolve-path.ts'
import { statPath } from '../stat.ts'

/** The index's view of a scope; see the driver contract. */
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

/** The index's view of texts in a scope. */
function knownTextsIn(scope: Scope, index: NameIndex, texts: TextIndex): KnownTexts {
  return {
    async find(folder, wanted, keep) {
      const { inside, canonical } = await placeIn(index, scope, folder)
      if (inside === undefined) return undefined
      const { state, found } = await texts.find(inside, wanted)
      const [start, above] = [inside === ROOT ? '' : inside, folder === ROOT ? 0 : folder.length]
      const match = (files: readonly FoundEntry[]) =>
        texts.match(
          files.map(({ path }) => (start + path.slice(above)) as FilePath),
          wanted,
        )
      return { state, found: matching(entriesIn(found, askedFolder(scope, folder, canonical)), keep, match) }
    },
  }
}

/** Files scanned together. */
const AT_ONCE = 32

async function* matching(
  batches: AsyncIterable<readonly FoundEntry[]>,
  keep: (file: FoundEntry) => boolean,
  match: (files: readonly FoundEntry[]) => Promise<readonly (TextMatch | undefined)[]>,
): AsyncGenerator<(FoundEntry & { match: TextMatch })[]> {
  for await (const batch of batches) {
    const files = batch.filter(keep)
    for (let at = 0; at < files.length; at += AT_ONCE) {
      const some = files.slice(at, at + AT_ONCE)
      const matches = await match(some)
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

/** The path of a folder below the indexed root, if it lies there. */
async function placeIn({ root }: NameIndex, scope: Scope, folder: FilePath) {
  const { handle, canonical } = await locateFolder(scope, folder)
  handle.close()
  return { inside: pathInside(root, handle.real), canonical }
}

/** What a link is depends on the scope, so each one is resolved; links are few. */
export function askedFolder(scope: Scope, path: FilePath, canonical: FilePath): AskedFolder {
  return { path, canonical, guard: scope.guard, linkAt: link => statPath(scope, link).catch(() => undefined) }
}
