import { useDeferredValue, useMemo } from 'react'
import type { FilePath } from '../../../../../shared/path.ts'
import { useFilter } from './store.ts'

/** The filtered rows. Typing stays responsive while a large folder is being filtered. */
export function useFiltered<T extends { name: string }>(path: FilePath, rows: readonly T[]): readonly T[] {
  const text = useDeferredValue(useFilter(path))
  return useMemo(() => matching(rows, text), [rows, text])
}

const fold = (text: string) => text.normalize('NFC').toLowerCase()

/** The items whose names contain the text, ignoring case; all of them for an empty text. */
export function matching<T extends { name: string }>(items: readonly T[], text: string | undefined): readonly T[] {
  const wanted = fold(text?.trim() ?? '')
  return wanted === '' ? items : items.filter(item => fold(item.name).includes(wanted))
}
