import type { SortField, Sorting } from '../../../../../shared/sorting.ts'

/**
 * What a click on a column header leads to: a column that was not active starts with A→Z, the smallest
 * or the oldest; the active one turns round.
 */
export function afterHeaderClick(current: Sorting, by: SortField): Sorting {
  if (current.by === by) return { by, asc: !current.asc }
  return { by, asc: by !== 'name' }
}

/** What `aria-sort` says of the active column: names are A→Z with `asc: false`. */
export function directionOf({ by, asc }: Sorting): 'ascending' | 'descending' {
  return asc === (by === 'name') ? 'descending' : 'ascending'
}
