import type { Change } from '../../../../shared/api/changes.ts'

/** Pages of a list of changes, the newest change first. */
export interface LoadedChanges {
  items: readonly Change[]
  /** Whether there are older ones. */
  more: boolean
}

/**
 * The list after its first page was loaded again. Older pages stay, unless so much is new that the list would have a
 * gap.
 */
export function withFirstPage(known: LoadedChanges | undefined, page: LoadedChanges): LoadedChanges {
  const last = page.items.at(-1)
  if (!known || !last || !page.more) return page
  const older = known.items.filter(({ id }) => id < last.id)
  const touches = known.items.some(({ id }) => id >= last.id)
  return touches && older.length > 0 ? { items: [...page.items, ...older], more: known.more } : page
}

/** The list with the next page. */
export function withOlder(known: LoadedChanges, page: LoadedChanges): LoadedChanges {
  const last = known.items.at(-1)?.id ?? ''
  return { items: [...known.items, ...page.items.filter(({ id }) => id < last)], more: page.more }
}

/** The list with the present state of one of its changes. */
export function withChange(known: LoadedChanges, change: Change): LoadedChanges {
  return { ...known, items: known.items.map(item => (item.id === change.id ? change : item)) }
}
