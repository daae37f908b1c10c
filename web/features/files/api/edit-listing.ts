import type { ReactNode } from 'react'
import type { FolderResource, ResourceItem } from '../../../../shared/api/resources.ts'
import { sortItems } from '../../../../shared/sorting.ts'
import type { ViewMode } from '../../../../shared/views.ts'
import { queryClient } from '../../../lib/query.ts'
import { folderKey, isFolder, knownFolder } from './list.ts'

/** An entry as listed. */
export interface ListedItem extends ResourceItem {
  /** The pending call, until the server has confirmed the entry. */
  pending?: Promise<unknown>
  /** Renders an item that is not there yet: it can be focused, but not selected, opened, dragged or dropped on. */
  cells?: (view: ViewMode) => ReactNode
}

export function isPending(item: ListedItem): boolean {
  return item.pending !== undefined
}

/** Runs an operation on an entry at once, or after the server has confirmed it; never if the server refuses it. */
export function onceConfirmed(item: ListedItem, act: () => void): void {
  if (item.pending) item.pending.then(act, () => undefined)
  else act()
}

/**
 * Changes a cached listing before the server has responded. Cancels a request for it that is under way, because its
 * response would restore the old state. No effect on a folder that was never loaded.
 */
function editFolder(path: string, change: (folder: FolderResource) => ResourceItem[]): void {
  if (!knownFolder(path)) return
  void queryClient.cancelQueries({ queryKey: folderKey(path) })
  queryClient.setQueryData<FolderResource>(folderKey(path), folder => {
    if (!folder || !isFolder(folder)) return folder
    const items = change(folder)
    const numDirs = items.filter(item => item.isDir).length
    return { ...folder, items, numDirs, numFiles: items.length - numDirs }
  })
}

/** What this page removed from its listings. */
const removed = new Set<string>()

const idOf = (folder: string, name: string) => `${folder}\n${name}`

/** Whether this page removed the entry, and not another user or program. Answers once. */
export const takeRemoval = (folder: string, name: string): boolean => removed.delete(idOf(folder, name))

/** Removes entries from a listing, by name. */
export function removeEntries(folder: string, names: ReadonlySet<string>): void {
  for (const name of names) removed.add(idOf(folder, name))
  editFolder(folder, ({ items }) => items.filter(item => !names.has(item.name)))
}

/** Inserts entries into a listing at their sorted position, replacing entries of the same name. */
export function insertEntries(folder: string, entries: readonly ListedItem[]): void {
  const names = new Set(entries.map(entry => entry.name))
  for (const name of names) takeRemoval(folder, name)
  editFolder(folder, ({ items, sorting }) =>
    sortItems([...items.filter(item => !names.has(item.name)), ...entries], sorting),
  )
}
