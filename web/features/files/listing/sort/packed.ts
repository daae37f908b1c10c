import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { type Sorting, sortItems } from '../../../../../shared/sorting.ts'

/**
 * The sort keys in a form that is transferred to a worker without cloning a hundred thousand objects. Strings are
 * joined by `/`, which neither a name nor a date contains.
 */
export interface PackedItems {
  names: string
  modified: string
  sizes: Float64Array<ArrayBuffer>
  /** Whether the sizes contain those of folders, `NaN` where unknown. */
  foldersSized: boolean
  folders: Uint8Array<ArrayBuffer>
}

export function createArchive(items: readonly ResourceItem[], sizeOf?: (item: ResourceItem) => number): PackedItems {
  const sizes = new Float64Array(items.length)
  const folders = new Uint8Array(items.length)
  items.forEach((item, index) => {
    sizes[index] = sizeOf?.(item) ?? item.size
    folders[index] = item.isDir ? 1 : 0
  })
  const names = items.map(item => item.name).join('/')
  return { names, modified: items.map(item => item.modified).join('/'), sizes, foldersSized: !!sizeOf, folders }
}

/** Indices of the items in the requested order. */
export function sortPacked(packed: PackedItems, sorting: Sorting): Uint32Array<ArrayBuffer> {
  const { sizes, folders } = packed
  if (sizes.length === 0) return new Uint32Array(0)
  const modified = packed.modified.split('/')
  const rows = packed.names.split('/').map((name, index) => ({
    index,
    name,
    size: sizes[index] ?? 0,
    modified: modified[index] ?? '',
    isDir: folders[index] === 1,
  }))
  return Uint32Array.from(sortItems(rows, sorting, packed.foldersSized ? row => row.size : undefined), row => row.index)
}
