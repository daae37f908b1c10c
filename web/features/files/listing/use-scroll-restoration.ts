import { useCallback, useEffect, useRef } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { FilePath } from '../../../../shared/path.ts'
import { locationStore } from '../../../lib/history.ts'
import { useHistoryState } from '../../../lib/router.tsx'
import { type GridState, INITIAL } from '../../../ui/grid/selection.ts'
import { wayBack } from '../items/focus-request.ts'

/** Where somebody was in a listing. */
interface Place {
  /** Scroll offset in CSS pixels. */
  offset: number
  /** Name of the focused entry. */
  name: string | undefined
}

let lastFolder: FilePath | undefined

/**
 * Remembers scroll offset and focused entry with the history entry, and tells where a listing starts: after Back or a
 * reload where it was left, after going up at the folder we come from, else at the top.
 */
export function usePlaceInListing(path: FilePath) {
  const { read, write } = useHistoryState<Place>('listing')
  const place = useRef<Place>(undefined)
  const remembered = useRef<Place | undefined | null>(null)
  if (remembered.current === null) remembered.current = returning() ? read() : undefined

  // Only now: the next folder's first rendering asks where we come from.
  useEffect(() => {
    lastFolder = path
  }, [path])

  const start = useCallback(
    (rows: readonly ResourceItem[]): GridState => {
      const name = remembered.current?.name ?? wayBack(path, lastFolder)
      const index = name === undefined ? -1 : rows.findIndex(row => row.name === name)
      return index < 0 ? INITIAL : { ...INITIAL, focus: index, anchor: index }
    },
    [path],
  )
  const remember = useCallback(
    (change: Partial<Place>) => {
      place.current = { offset: 0, name: undefined, ...remembered.current, ...place.current, ...change }
      write(place.current)
    },
    [write],
  )
  return { start, remember, offset: remembered.current?.offset }
}

/** Whether a listing that is opened now starts at its top: then its first rows can be shown before the others. */
export function useStartAtTop(path: FilePath): boolean {
  const { read } = useHistoryState<Place>('listing')
  const known = useRef<{ path: FilePath; atTop: boolean }>(undefined)
  if (known.current?.path !== path) {
    const atTop = !(returning() && read()) && wayBack(path, lastFolder) === undefined
    known.current = { path, atTop }
  }
  return known.current.atTop
}

function returning(): boolean {
  const { arrival } = locationStore.get()
  return arrival === 'pop' || arrival === 'load'
}
