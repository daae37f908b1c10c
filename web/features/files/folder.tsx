import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { FolderResource, ResourceItem } from '../../../shared/api/resources.ts'
import { type FilePath, nameOf, parentOf, trustedChild } from '../../../shared/path.ts'
import { publishFolder } from '../../lib/actions.ts'
import { announce } from '../../lib/announce.ts'
import { t } from '../../lib/i18n/index.ts'
import { lazyPart } from '../../lib/lazy.ts'
import { useCoarsePointer } from '../../lib/media.ts'
import { filesUrl, navigate } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { allOf, EMPTY, pick, sizeOf } from '../../ui/grid/range-set.ts'
import { clear, type GridState, includeRow, selectOnly } from '../../ui/grid/selection.ts'
import { type GridHandle, VirtualGrid } from '../../ui/grid/virtual-grid.tsx'
import { COLUMNS, FileCells, ListHeader } from './cells.tsx'
import { settleFocusRequest, useFocusRequest } from './focus-request.ts'
import { afterHeaderClick, chooseSorting, useSorting } from './sort/sorting-choice.ts'
import { useSortedRows } from './sort/use-sorted.ts'
import { EmptyState } from './states.tsx'
import { useGridState } from './use-grid-state.ts'
import { usePlaceInListing } from './use-place.ts'

const ContextMenu = lazyPart(() => import('./context-menu.tsx'))

export interface FolderProps {
  path: FilePath
  folder: FolderResource
  rowHeight: number
  /** On its way out: still to be seen, not to be used. */
  stale: boolean
  onRefresh: () => void
}

/** The rows of one folder with focus and selection. Mounted anew for every folder. */
export function Folder({ path, folder, rowHeight, stale, onRefresh }: FolderProps) {
  const sorting = useSorting()
  const sorted = useSortedRows(folder, sorting)
  const { rows } = sorted
  const place = usePlaceInListing(path)
  const [state, setState] = useGridState(rows, place.start)
  const grid = useRef<GridHandle>(null)
  const { user } = useSession()
  const selection = useMemo(() => pick(state.selected, rows), [state.selected, rows])
  const headerHeight = useCoarsePointer() ? 48 : 36
  const open = useCallback(
    (item: ResourceItem | undefined) => {
      if (item) void navigate(filesUrl(trustedChild(path, item.name), item.isDir))
    },
    [path],
  )

  usePublication({ folder, rows, selection, state, setState, open, grid, onRefresh, stale })
  useArrival(path, folder, grid, state.focus, place.offset === undefined)
  useFocusRequests(path, rows, setState, grid)
  const { remember } = place
  const focusedName = rows[state.focus]?.name
  useEffect(() => {
    if (!stale) remember({ name: focusedName })
  }, [remember, focusedName, stale])

  const exactDates = user?.dateFormat ?? false
  const renderCells = useCallback(
    (index: number, selected: boolean) => {
      const item = rows[index]
      return item ? <FileCells item={item} selected={selected} exactDates={exactDates} /> : null
    },
    [rows, exactDates],
  )
  const menu = useContextMenu(state, setState, grid)
  if (rows.length === 0) return <EmptyState takeFocus={false} />
  const chosen = sizeOf(state.selected)
  return (
    <>
      <VirtualGrid
        ref={grid}
        label={t('files.listing', { name: nameOf(path) || t('files.home') })}
        count={rows.length}
        columns={COLUMNS}
        rowHeight={rowHeight}
        headerHeight={headerHeight}
        initialOffset={place.offset ?? 0}
        state={state}
        onState={setState}
        singleClick={user?.singleClick ?? false}
        header={
          <ListHeader
            sorting={sorted.sorting}
            onSort={by => chooseSorting(afterHeaderClick(sorting, by))}
            selected={chosen === 0 ? 'none' : chosen === rows.length ? 'all' : 'some'}
            onSelectAll={() => setState({ ...state, selected: chosen === rows.length ? EMPTY : allOf(rows.length) })}
          />
        }
        renderCells={renderCells}
        nameAt={index => rows[index]?.name ?? ''}
        onOpen={index => open(rows[index])}
        onUp={() => path !== '/' && void navigate(filesUrl(parentOf(path), true))}
        onMenu={menu.open}
        onScroll={offset => !stale && remember({ offset })}
      />
      {menu.element}
    </>
  )
}

type GridRef = React.RefObject<GridHandle | null>
type SetState = (next: GridState) => void

interface Publication {
  folder: FolderResource
  rows: readonly ResourceItem[]
  selection: readonly ResourceItem[]
  state: GridState
  setState: SetState
  open: (item: ResourceItem) => void
  grid: GridRef
  onRefresh: () => void
  stale: boolean
}

/** Tells the actions what is here and what is selected. */
function usePublication({ folder, rows, selection, state, setState, open, grid, onRefresh, stale }: Publication): void {
  useEffect(() => {
    if (stale) return publishFolder(undefined)
    publishFolder({
      folder,
      selection,
      focused: rows[state.focus],
      view: {
        selectAll: () => {
          setState({ ...state, selected: allOf(rows.length) })
          grid.current?.focus()
        },
        clearSelection: () => {
          setState(clear(state))
          grid.current?.focus()
        },
        refresh: onRefresh,
        open,
      },
    })
  }, [folder, rows, selection, state, setState, open, grid, onRefresh, stale])
  useEffect(() => () => publishFolder(undefined), [])
}

/** Announces the folder and takes the focus to its current row, unless somebody is typing or a dialog is open. */
function useArrival(path: FilePath, folder: FolderResource, grid: GridRef, focus: number, reveal: boolean): void {
  const arrived = useRef(false)
  useEffect(() => {
    if (arrived.current) return
    arrived.current = true
    announce(t('files.announce', { name: nameOf(path) || t('files.home'), count: folder.items.length }))
    if (reveal) grid.current?.reveal(focus)
    if (mayTakeFocus()) grid.current?.focus()
  }, [path, folder, grid, focus, reveal])
}

function mayTakeFocus(): boolean {
  const active = document.activeElement
  return !active?.closest('input, textarea, select, [role="dialog"], [role="alertdialog"], [role="menu"]')
}

/** Focuses and selects an entry somebody asked for, as soon as it is there. */
function useFocusRequests(path: FilePath, rows: readonly ResourceItem[], setState: SetState, grid: GridRef): void {
  const request = useFocusRequest()
  const wanted = request?.folder === path ? request.name : undefined
  useEffect(() => {
    const index = wanted === undefined ? -1 : rows.findIndex(row => row.name === wanted)
    if (index < 0) return
    settleFocusRequest()
    setState(selectOnly(index))
    // The row is rendered by then, and the dialog has given the focus back.
    requestAnimationFrame(() => {
      grid.current?.reveal(index)
      grid.current?.focus()
    })
  }, [wanted, rows, setState, grid])
}

interface MenuAt {
  x: number
  y: number
  on: 'selection' | 'folder'
  key: number
}

function useContextMenu(state: GridState, setState: SetState, grid: GridRef) {
  const [at, setAt] = useState<MenuAt>()
  const open = ({ index, x, y }: { index: number; x: number; y: number }) => {
    setState(index < 0 ? clear(state) : includeRow(state, index))
    setAt(last => ({ x, y, on: index < 0 ? 'folder' : 'selection', key: (last?.key ?? 0) + 1 }))
  }
  const close = () => setAt(undefined)
  const focusedRow = () => grid.current?.focusedRow() ?? null
  const element = at && (
    <Suspense>
      <ContextMenu key={at.key} x={at.x} y={at.y} on={at.on} returnFocus={focusedRow} onClose={close} />
    </Suspense>
  )
  return { open, element }
}
