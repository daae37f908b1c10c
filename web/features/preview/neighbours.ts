import type { ResourceItem } from '../../../shared/api/resources.ts'

/** Whether Next and Previous stop at it: every file, but no link without a target. */
export function isInGallery(item: Pick<ResourceItem, 'type' | 'isDir'>): boolean {
  return !item.isDir && item.type !== 'invalid_link'
}

/**
 * The file shown after the current one was deleted: the next one, else the previous one.
 * @param index its former index in `rows`
 */
export function successor(rows: readonly ResourceItem[], index: number): ResourceItem | undefined {
  return rows.slice(index).find(isInGallery) ?? rows.slice(0, index).findLast(isInGallery)
}
