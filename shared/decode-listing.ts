import type { ListedRows, ResourceItem } from './api/resources.ts'
import { SEPARATOR } from './listing-format.ts'
import { extensionOf } from './path.ts'
import { MODE_FOLDER, RESOURCE_TYPES } from './resource-types.ts'

/** Decodes rows into items. @param folder path of their folder, with or without a trailing slash */
export function itemsOf({ names, sizes, modified, modes, types, links }: ListedRows, folder: string): ResourceItem[] {
  if (sizes.length === 0) return []
  const above = folder.endsWith('/') ? folder : `${folder}/`
  const times = modified.split(SEPARATOR)
  const isLink = new Set(links)
  return names.split(SEPARATOR).map((name, index) => {
    const mode = modes[index] ?? 0
    return {
      path: above + name,
      name,
      size: sizes[index] ?? 0,
      extension: extensionOf(name),
      modified: times[index] ?? '',
      mode,
      isDir: mode >= MODE_FOLDER,
      isSymlink: isLink.has(index),
      type: RESOURCE_TYPES[Number(types[index])] ?? 'blob',
    }
  })
}
