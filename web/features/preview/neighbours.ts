import type { ResourceItem } from '../../../shared/api/resources.ts'

/** What Next and Previous go over. */
const IN_TURN = new Set<ResourceItem['type']>(['image', 'video', 'audio', 'blob'])

/** Whether Next and Previous stop at it. */
export function isInTurn(item: Pick<ResourceItem, 'type' | 'isDir'>): boolean {
  return !item.isDir && IN_TURN.has(item.type)
}

/**
 * What is shown instead of something that has gone from its folder: the next thing in turn, else the one before.
 * @param index where it stood in `rows`
 */
export function successor(rows: readonly ResourceItem[], index: number): ResourceItem | undefined {
  return rows.slice(index).find(isInTurn) ?? rows.slice(0, index).findLast(isInTurn)
}
