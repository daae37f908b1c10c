import type { SortField, Sorting } from '../../../../../shared/sorting.ts'

/**
 * The sorting after a click on a column header: an inactive column starts with A→Z, the smallest or the newest first;
 * the active one is reversed.
 */
export function afterHeaderClick(current: Sorting, by: SortField): Sorting {
  if (current.by === by) return { by, asc: !current.asc }
  return { by, asc: by !== 'name' && by !== 'modified' }
}

/** The `aria-sort` of the active column: names are A→Z with `asc: false`. */
export function directionOf({ by, asc }: Sorting): 'ascending' | 'descending' {
  return asc === (by === 'name') ? 'descending' : 'ascending'
}
