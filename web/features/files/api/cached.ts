import type { FolderResource, ResourceItem } from '../../../../shared/api/resources.ts'
import { sortItems } from '../../../../shared/sorting.ts'
import { queryClient } from '../../../lib/query.ts'
import { folderKey, isFolder, knownFolder } from './list.ts'

/** An entry as listed. */
export interface ListedItem extends ResourceItem {
  /** While the server has not confirmed it: the call that will. */
  pending?: Promise<unknown>
}

export function isPending(item: ListedItem): boolean {
  return item.pending !== undefined
}

/** Does something with an entry at once, or as soon as the server has confirmed it; not if it refuses. */
export function onceConfirmed(item: ListedItem, act: () => void): void {
  if (item.pending) item.pending.then(act, () => undefined)
  else act()
}

/**
 * Changes what a listing shows before the server has answered. A request for it that is under way would bring back the
 * old state and is dropped. Without effect for a folder that was never loaded.
 */
function editFolder(path: string, change: (folder: FolderResource) => ResourceItem[]): void {
  if (!knownFolder(path)) return
  queryClient.cancelQueries({ queryKey: folderKey(path) })
  queryClient.setQueryData<FolderResource>(folderKey(path), folder => {
    if (!folder || !isFolder(folder)) return folder
    const items = change(folder)
    const numDirs = items.filter(item => item.isDir).length
    return { ...folder, items, numDirs, numFiles: items.length - numDirs }
  })
}

/** Takes entries out of a listing, by name. */
export function takeOut(folder: string, names: ReadonlySet<string>): void {
  editFolder(folder, ({ items }) => items.filter(item => !names.has(item.name)))
}

/** Puts entries into a listing, where they belong in its order and instead of those of the same name. */
export function putIn(folder: string, entries: readonly ListedItem[]): void {
  const names = new Set(entries.map(entry => entry.name))
  editFolder(folder, ({ items, sorting }) =>
    sortItems([...items.filter(item => !names.has(item.name)), ...entries], sorting),
  )
}
