import { useMemo } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'

/** In a gallery folders come before files, whatever the order: they are shown above its images. */
export function useFoldersFirst<T extends ResourceItem>(rows: readonly T[], gallery: boolean): readonly T[] {
  return useMemo(() => (gallery ? rows.toSorted((a, b) => Number(b.isDir) - Number(a.isDir)) : rows), [rows, gallery])
}
