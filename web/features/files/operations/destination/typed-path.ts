import type { Resource } from '../../../../../shared/api/resources.ts'
import { type FilePath, nameOf, parentOf, parsePath, ROOT, trustedChild } from '../../../../../shared/path.ts'

/** A path as typed: the folder to look into, and the name to find there; none after a final slash. */
export interface TypedPath {
  parent: FilePath
  name: string | undefined
}

/** @returns `undefined` for a text that is no path */
export function folderTyped(text: string): TypedPath | undefined {
  const typed = text.trim()
  try {
    const path = parsePath(typed)
    if (path === ROOT || typed.endsWith('/')) return { parent: path, name: undefined }
    return { parent: parentOf(path), name: nameOf(path) }
  } catch {
    return undefined
  }
}

/** The folder of a path, or why there is none. */
export type TypedFolder = { folder: FilePath } | 'loading' | 'missing' | 'file'

/** @param listing of the folder to look into, as loaded so far @param failed whether it cannot be loaded */
export function findFolder(text: string, listing: Resource | undefined, failed: boolean): TypedFolder {
  const typed = folderTyped(text)
  if (!typed || failed) return 'missing'
  if (!listing) return 'loading'
  if (!('items' in listing)) return 'file'
  const { parent, name } = typed
  if (name === undefined) return { folder: parent }
  const item = listing.items.find(other => other.name === name)
  if (!item) return 'missing'
  return item.isDir ? { folder: trustedChild(parent, name) } : 'file'
}
