import { DEFAULT_SORTING, SORT_FIELDS, type SortField, type Sorting } from '../../../../shared/sorting.ts'
import { createStore, useStore } from '../../../lib/store.ts'

const STORAGE_KEY = 'filigree.sorting'

const store = createStore<Sorting>(read())

/** The order chosen in this browser. */
export function useSorting(): Sorting {
  return useStore(store)
}

export function chooseSorting(sorting: Sorting): void {
  store.set(sorting)
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(sorting))
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

/**
 * What a click on a column header leads to (contract 20.2): a column that was not active starts with A→Z, the smallest
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

function read(): Sorting {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null')
    if (typeof value !== 'object' || value === null) return DEFAULT_SORTING
    const { by, asc } = value as Partial<Sorting>
    const known = SORT_FIELDS.find(field => field === by)
    return known && typeof asc === 'boolean' ? { by: known, asc } : DEFAULT_SORTING
  } catch {
    return DEFAULT_SORTING
  }
}
