import { useDeferredValue, useMemo } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import type { FilePath } from '../../../../../shared/path.ts'
import { matching } from './match.ts'
import { useFilter } from './store.ts'

/** The filtered rows. Typing stays responsive while a large folder is being filtered. */
export function useFiltered(path: FilePath, rows: readonly ResourceItem[]): readonly ResourceItem[] {
  const text = useDeferredValue(useFilter(path))
  return useMemo(() => matching(rows, text), [rows, text])
}
