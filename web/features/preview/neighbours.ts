import type { ResourceItem } from '../../../shared/api/resources.ts'

/** The files that Next and Previous visit. */
const IN_TURN = new Set<ResourceItem['type']>(['image', 'video', 'audio', 'blob'])

/** Whether Next and Previous stop at it. */
export function isInGallery(item: Pick<ResourceItem, 'type' | 'isDir'>): boolean {
  return !item.isDir && IN_TURN.has(item.type)
}

/**
 * The file shown after the current one was deleted: the next one, else the previous one.
 * @param index its former index in `rows`
 */
export function successor(rows: readonly ResourceItem[], index: number): ResourceItem | undefined {
  return rows.slice(index).find(isInGallery) ?? rows.slice(0, index).findLast(isInGallery)
}
