import { useMemo } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { compareNames, type Sorting } from '../../../../shared/sorting.ts'

/** In a gallery folders come before files, whatever the order: they are shown above its images. */
export function useFoldersFirst<T extends ResourceItem>(rows: readonly T[], gallery: boolean): readonly T[] {
  return useMemo(() => (gallery ? foldersFirst(rows) : rows), [rows, gallery])
}

/**
 * Sorted rows with their folders before the files, or among them.
 * @param first `undefined` leaves them where the order has them
 */
export function useFolderOrder<T extends ResourceItem>(
  rows: readonly T[],
  first: boolean | undefined,
  { by, asc }: Sorting,
): readonly T[] {
  return useMemo(() => {
    if (first) return foldersFirst(rows)
    return first === false && by === 'name' ? mixedByName(rows, asc) : rows
  }, [rows, first, by, asc])
}

function foldersFirst<T extends ResourceItem>(rows: readonly T[]): readonly T[] {
  return rows.toSorted((a, b) => Number(b.isDir) - Number(a.isDir))
}

/** Merges folders and files that are each in the order of their names. @param asc as in `Sorting`: Z to A */
export function mixedByName<T extends Pick<ResourceItem, 'name' | 'isDir'>>(rows: readonly T[], asc: boolean): T[] {
  const files = rows.filter(row => !row.isDir)
  const direction = asc ? -1 : 1
  const mixed: T[] = []
  let next = 0
  for (const folder of rows.filter(row => row.isDir)) {
    let file = files[next]
    while (file && compareNames(file.name, folder.name) * direction < 0) {
      mixed.push(file)
      next += 1
      file = files[next]
    }
    mixed.push(folder)
  }
  return [...mixed, ...files.slice(next)]
}
