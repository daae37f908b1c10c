import { type FilePath, nameOf } from '../../../shared/path.ts'
import type { NamesMet } from '../driver.ts'
import type { FoundEntry } from '../found-names.ts'
import { ask } from '../guard.ts'
import { folderKey, pathsIn } from './keys.ts'
import { listAll } from './objects.ts'
import type { ListedObject } from './page.ts'
import type { Scope } from './scope.ts'
import { demandFolder } from './stat.ts'

/**
 * Everything below a folder, from the store's own listing across folders, a thousand keys at a time, which is always
 * current; see the driver contract.
 */
export async function* scanKeys(scope: Scope, folder: FilePath): AsyncGenerator<NamesMet> {
  ask(scope.guard, folder)
  await demandFolder(scope, folder)
  let met = 0
  for await (const entries of entriesBelow(scope, folder)) {
    met += entries.length
    yield { met, entries: entries.filter(({ canonical }) => !scope.guard || scope.guard(canonical)) }
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
