import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FolderResource, ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, nameOf } from '../../../../shared/path.ts'
import type { Sorting } from '../../../../shared/sorting.ts'
import { publishFolder } from '../../../lib/actions.ts'
import { announce } from '../../../lib/announce.ts'
import { addBlocker } from '../../../lib/history.ts'
import { t } from '../../../lib/i18n/index.ts'
import { loadHistory } from '../../../lib/lazy.ts'
import { currentPrompt, usePrompt } from '../../../lib/prompts.ts'
import { allOf, EMPTY, where } from '../../../ui/grid/range-set.ts'
import { clear, type GridState } from '../../../ui/grid/selection.ts'
import type { GridHandle } from '../../../ui/grid/virtual-grid.tsx'
import type { ListedItem } from '../api/edit-listing.ts'
import { isPartly } from '../api/list.ts'
import { settleFocusRequest, useFocusRequest } from '../items/focus-request.ts'
import { namingStore } from '../items/naming.ts'
import { loadDrag } from './drag/use-drag.ts'
import { loadNaming } from './naming/load.ts'

export type GridRef = RefObject<GridHandle | null>
export type SetState = (next: GridState) => void

interface Publication {
  folder: FolderResource
  rows: readonly ResourceItem[]
  selection: readonly ResourceItem[]
  state: GridState
  setState: SetState
  selectAll: () => void
  open: (item: ResourceItem) => void
  grid: GridRef
  onRefresh: () => void
  stale: boolean
}

/** Publishes the folder and the selection to the actions. */
export function usePublication({
  folder,
  rows,
  selection,
  state,
  setState,
  selectAll,
  open,
  grid,
  onRefresh,
  stale,
}: Publication): void {
  useEffect(() => {
    if (stale) return publishFolder(undefined)
    publishFolder({
      folder,
      selection,
      focused: rows[state.focus],
      view: {
        selectAll: () => {
          selectAll()
          grid.current?.focus()
        },
        clearSelection: () => {
          setState(clear(state))
          grid.current?.focus()
        },
        focus: () => grid.current?.focus(),
        refresh: onRefresh,
        open,
      },
    })
  }, [folder, rows, selection, state, setState, selectAll, open, grid, onRefresh, stale])
  useEffect(() => () => publishFolder(undefined), [])
}

/** Selects every row; in a folder still loading, once all rows are there. */
export function useSelectAll(folder: FolderResource, count: number, state: GridState, setState: SetState): () => void {
  const [wanted, setWanted] = useState(false)
  const partly = isPartly(folder)
  const selectRows = useCallback(() => setState({ ...state, selected: allOf(count) }), [state, setState, count])
  const wait = useCallback(() => setWanted(true), [])
  useEffect(() => {
    if (!wanted || partly) return
    setWanted(false)
    selectRows()
  }, [wanted, partly, selectRows])
  return partly ? wait : selectRows
}

/** Announces the folder and focuses its current row, unless the user is typing or a dialog is open. */
export function useArrival(
  path: FilePath,
  folder: FolderResource,
  grid: GridRef,
  focus: number,
  reveal: boolean,
): void {
  const arrived = useRef(false)
  useEffect(() => {
    if (arrived.current) return
    arrived.current = true
    const count = folder.numDirs + folder.numFiles
    announce(t('files.announce', { name: nameOf(path) || t('files.home'), count }))
    if (reveal) grid.current?.reveal(focus)
    if (mayTakeFocus()) grid.current?.focus()
  }, [path, folder, grid, focus, reveal])
}

/** On a touch screen, Back first clears the selection, as it closes any overlay. */
export function useBackOutOfSelection(active: boolean, leave: () => void): void {
  const leaveNow = useEffectEvent(leave)
  useEffect(() => {
    if (!active) return
    return addBlocker(way => {
      if (way === 'back') leaveNow()
      return way !== 'back'
    })
  }, [active])
}

/** A new sort order scrolls to the top. */
export function useSortToTop({ by, asc }: Sorting, grid: GridRef): void {
  const last = useRef(`${by} ${asc}`)
  useEffect(() => {
    const now = `${by} ${asc}`
    if (last.current !== now) grid.current?.scrollToTop()
    last.current = now
  }, [by, asc, grid])
}

const PREFETCH_DELAY = 1500
let prefetched = false

/** Preloads the code of menus and dialogs while the page is idle. */
export function usePrefetch(): void {
  useEffect(() => {
    if (prefetched) return
    const timer = setTimeout(() => {
      prefetched = true
      // A failure surfaces when the chunk is really needed.
      void Promise.allSettled([
        import('./selection-bar.tsx'),
        import('./context-menu.tsx'),
        import('./empty-folder.tsx'),
        loadNaming(),
        loadHistory(() => import('../operations/delete.ts')),
        loadDrag(),
      ])
    }, PREFETCH_DELAY)
    return () => clearTimeout(timer)
  }, [])
}

function mayTakeFocus(): boolean {
  const active = document.activeElement
  return !active?.closest('input, textarea, select, [role="dialog"], [role="alertdialog"], [role="menu"]')
}

/** Milliseconds until a closed dialog has returned the focus. */
const FOCUS_RETURN = 50

/**
 * Takes the focus when a dialog has closed and its trigger is no longer in the page; runs after hooks with shorter
 * delays.
 */
export function useFocusAfterPrompt(grid: GridRef, wait = FOCUS_RETURN): void {
  const open = usePrompt() !== null
  const wasOpen = useRef(open)
  useEffect(() => {
    const closed = wasOpen.current && !open
    wasOpen.current = open
    if (!closed) return
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) grid.current?.focus()
    }, wait)
    return () => clearTimeout(timer)
  }, [open, grid, wait])
}

/** Focuses and selects requested entries as soon as one of them is listed. */
export function useFocusRequests(path: FilePath, rows: readonly ListedItem[], setState: SetState, grid: GridRef): void {
  const request = useFocusRequest()
  const wanted = request?.folder === path ? request.names : undefined
  const select = request?.select ?? true
  useEffect(() => {
    if (!wanted) return
    const names = new Set(wanted)
    const selected = where(rows.length, at => names.has(rows[at]?.name ?? '') && !rows[at]?.cells)
    const [index] = selected
    if (index === undefined) return
    settleFocusRequest()
    setState({ selected: select ? selected : EMPTY, focus: index, anchor: index })
    // By then the row is rendered and the dialog has returned the focus. A field for a refused name keeps it.
    requestAnimationFrame(() => {
      grid.current?.reveal(index)
      if (!currentPrompt() && !namingStore.get()) grid.current?.focus()
    })
  }, [wanted, select, rows, setState, grid])
}
