import type { FolderTotals } from '../../../shared/api/resources.ts'
import { type FilePath, nameOf } from '../../../shared/path.ts'
import type { FoundEntry, KnownNames, KnownSizes } from '../driver.ts'
import { ask } from '../guard.ts'
import { entriesIn, totalsIn } from '../names/entries.ts'
import { folderKey, pathsIn } from './keys.ts'
import { placeIn } from './names/place.ts'
import { type ListedObject, listAll } from './objects.ts'
import type { Scope } from './scope.ts'
import { demandFolder } from './stat.ts'

/** Pages of keys beyond which computing a folder's totals takes too long for a request. */
const MOST_PAGES = 200
/** Pages of keys beyond which an index is suggested. */
const LONG_LISTING = 20

/**
 * Finds names in a bucket: from an index where one is kept and knows the folder; otherwise from the store's own listing
 * across folders, a thousand keys at a time, which is always current.
 */
export function knownNamesIn(scope: Scope): KnownNames {
  return {
    findsAlways: true,
    async find(folder, words) {
      ask(scope.guard, folder)
      const known = scope.names && (await scope.names.index.find(placeIn(scope, scope.names, folder), words))
      if (known) return entriesIn(known, { path: folder, canonical: folder, guard: scope.guard })
      await demandFolder(scope, folder)
      return foundIn(scope, folder)
    },
    totals: async folder => totalsIn(await sizesOf(scope, folder, 0)) ?? totalsOf(scope, folder),
    ...(scope.names && { sizes: (folder: FilePath, most: number) => sizesOf(scope, folder, most) }),
    want: () => scope.names?.index.want(),
  }
}

async function sizesOf(scope: Scope, folder: FilePath, most: number): Promise<KnownSizes | undefined> {
  ask(scope.guard, folder)
  return scope.names?.index.sizes(placeIn(scope, scope.names, folder), most)
}

async function* foundIn(scope: Scope, folder: FilePath): AsyncGenerator<FoundEntry[]> {
  let pages = 0
  for await (const entries of entriesBelow(scope, folder)) {
    pages += 1
    if (pages === LONG_LISTING) scope.names?.index.want()
    yield entries.filter(({ canonical }) => !scope.guard || scope.guard(canonical))
  }
}

async function* entriesBelow(scope: Scope, folder: FilePath): AsyncGenerator<FoundEntry[]> {
  const prefix = folderKey(scope.base, folder)
  // Folders whose content is being listed, outermost first; the keys of a folder are contiguous.
  let open: readonly FilePath[] = []
  for await (const { objects } of listAll(scope.client, prefix)) {
    const entries: FoundEntry[] = []
    for (const object of objects) {
      const rest = object.key.slice(prefix.length)
      const paths = rest === '' ? undefined : pathsIn(folder, rest)
      if (!paths) continue
      const folders = rest.endsWith('/') ? paths : paths.slice(0, -1)
      entries.push(...folders.slice(sharedBy(open, folders)).map(path => entryOf(path, 'folder')))
      open = folders
      const [file] = paths.slice(folders.length)
      if (file !== undefined) entries.push(entryOf(file, 'file', object))
    }
    if (entries.length > 0) yield entries
  }
}

/** Number of common leading paths. */
function sharedBy(one: readonly FilePath[], other: readonly FilePath[]): number {
  const differs = other.findIndex((path, index) => path !== one[index])
  return differs < 0 ? other.length : differs
}

function entryOf(
  path: FilePath,
  kind: 'file' | 'folder',
  { size }: Pick<ListedObject, 'size'> = { size: 0 },
): FoundEntry {
  return { name: nameOf(path), path, canonical: path, kind, isLink: false, size }
}

async function totalsOf(scope: Scope, folder: FilePath): Promise<FolderTotals | undefined> {
  await demandFolder(scope, folder)
  const totals = { bytes: 0, files: 0, folders: 0 }
  let pages = 0
  for await (const entries of entriesBelow(scope, folder)) {
    for (const { kind, size } of entries) {
      totals.bytes += size
      totals[kind === 'folder' ? 'folders' : 'files'] += 1
    }
    pages += 1
    if (pages === MOST_PAGES) return undefined
  }
  return totals
}
