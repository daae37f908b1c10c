import type { FolderTotals } from '../../../shared/api/resources.ts'
import { type FilePath, nameOf } from '../../../shared/path.ts'
import type { FoundEntry, KnownNames } from '../driver.ts'
import { folderKey, pathsIn } from './keys.ts'
import { type ListedObject, listAll } from './objects.ts'
import type { Scope } from './scope.ts'
import { demandFolder } from './stat.ts'

/** Pages of keys after which it takes too long to add up a folder while somebody waits. */
const MOST_PAGES = 200

/**
 * What a store knows of names is its own index of keys: it is listed without regard to folders, a thousand at a time, and
 * so is never older than the store.
 */
export function knownNamesIn(scope: Scope): KnownNames {
  return {
    async find(folder) {
      await demandFolder(scope, folder)
      return foundIn(scope, folder)
    },
    totals: folder => totalsOf(scope, folder),
    // There is nothing to be made.
    want() {},
  }
}

async function* foundIn(scope: Scope, folder: FilePath): AsyncGenerator<FoundEntry[]> {
  for await (const entries of entriesBelow(scope, folder)) {
    yield entries.filter(({ canonical }) => !scope.guard || scope.guard(canonical))
  }
}

async function* entriesBelow(scope: Scope, folder: FilePath): AsyncGenerator<FoundEntry[]> {
  const prefix = folderKey(scope.base, folder)
  // Folders whose content is being listed, outermost first; keys in a folder follow each other.
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

/** How many of the first paths are the same. */
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
