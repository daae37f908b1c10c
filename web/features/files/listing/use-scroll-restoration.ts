import { useCallback, useEffect, useRef } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { FilePath } from '../../../../shared/path.ts'
import { locationStore } from '../../../lib/history.ts'
import { useHistoryState } from '../../../lib/router.tsx'
import { type GridState, INITIAL } from '../../../ui/grid/selection.ts'
import { wayBack } from '../items/focus-request.ts'

/** A position in a listing. */
interface ScrollPosition {
  /** Scroll offset in CSS pixels. */
  offset: number
  /** Name of the focused entry. */
  name: string | undefined
}

let lastFolder: FilePath | undefined

/**
 * Stores scroll offset and focused entry with the history entry, and returns where a listing starts: after Back or a
 * reload at the stored position, after going up at the folder the user came from, else at the top.
 */
export function useScrollRestoration(path: FilePath) {
  const { read, write } = useHistoryState<ScrollPosition>('listing')
  const place = useRef<ScrollPosition>(undefined)
  const remembered = useRef<ScrollPosition | undefined | null>(null)
  if (remembered.current === null) remembered.current = returning() ? read() : undefined

  // Only now: the next folder's first rendering reads the previous path.
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
    (change: Partial<ScrollPosition>) => {
      place.current = { offset: 0, name: undefined, ...remembered.current, ...place.current, ...change }
      write(place.current)
    },
    [write],
  )
  return { start, remember, offset: remembered.current?.offset }
}

/** Whether a listing opened now starts at its top: its first rows can then be shown before the others. */
export function useStartAtTop(path: FilePath): boolean {
  const { read } = useHistoryState<ScrollPosition>('listing')
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
