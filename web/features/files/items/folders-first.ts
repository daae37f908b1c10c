import { useMemo } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'

/** In a gallery folders come before files, whatever the order: they are shown above its pictures. */
export function useFoldersFirst(rows: readonly ResourceItem[], gallery: boolean): readonly ResourceItem[] {
  return useMemo(() => (gallery ? rows.toSorted((a, b) => Number(b.isDir) - Number(a.isDir)) : rows), [rows, gallery])
}
