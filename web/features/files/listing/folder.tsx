import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { FolderResource, ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, nameOf, parentOf, trustedChild } from '../../../../shared/path.ts'
import { useUserHere } from '../../../lib/actions.ts'
import { t } from '../../../lib/i18n/index.ts'
import { lazyPart } from '../../../lib/lazy.ts'
import { useCoarsePointer } from '../../../lib/media.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { currentRoute, filesUrl, navigate } from '../../../lib/router.tsx'
import { useStore } from '../../../lib/store.ts'
import { EMPTY, pick, sizeOf } from '../../../ui/grid/range-set.ts'
import { clear, type GridState } from '../../../ui/grid/selection.ts'
import { type GridHandle, VirtualGrid, type VirtualGridProps } from '../../../ui/grid/virtual-grid.tsx'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { type ListedItem, onceConfirmed } from '../api/edit-listing.ts'
import { arrivingStore } from '../items/arriving.ts'
import { useFolderOrder } from '../items/folders-first.ts'
import { namingStore } from '../items/naming.ts'
import { picturesCall } from '../items/preview-url.ts'
import { setQuickLook } from '../items/quick-look.ts'
import { ListHeader } from './cells.tsx'
import type { ExtraColumn } from './columns.ts'
import { useDrag } from './drag/use-drag.ts'
import { useFiltered } from './filter/use-filtered.ts'
import {
  useArrival,
  useBackOutOfSelection,
  useFocusAfterPrompt,
  useFocusRequests,
  usePrefetch,
  usePublication,
  useSelectAll,
  useSortToTop,
} from './folder-hooks.ts'
import { setPreferences, useFoldersFirstIn, useSorting } from './preferences.ts'
import { afterHeaderClick } from './sort/sorting-choice.ts'
import { useSortedRows } from './sort/use-sorted.ts'
import { useContextMenu } from './use-context-menu.tsx'
import { useGridState } from './use-grid-state.ts'
import { useScrollRestoration } from './use-scroll-restoration.ts'
import { type ListingLayout, useListColumns, useRenderCells } from './use-view.tsx'

export interface FolderProps {
  path: FilePath
  folder: FolderResource
  layout: ListingLayout
  /** The previous folder: still visible, but inert. */
  stale: boolean
  onRefresh: () => void
}

const ColumnGrip = lazyPart(() => import('./column-grip.tsx'))
const grip = (column: ExtraColumn) => (
  <LazyBoundary>
    <ColumnGrip column={column} />
  </LazyBoundary>
)

const EmptyFolder = lazyPart(() => import('./empty-folder.tsx'))
const Gallery = lazyPart(() => import('./gallery/gallery.tsx'))

type GridShared = Omit<VirtualGridProps, 'renderCells'>

const addressOf = (item: ResourceItem) => filesUrl(item.path, item.isDir)
const keyOf = (item: ResourceItem) => item.name

function folderAt(path: FilePath, item: ListedItem | undefined): FilePath | undefined {
  return item?.isDir && !item.cells ? trustedChild(path, item.name) : undefined
}

/** Whether the address still names this folder. */
function isHere(path: FilePath): boolean {
  const route = currentRoute()
  return route.name === 'files' && route.path === path
}

/** The rows of a folder with focus and selection. Mounted once per folder. */
export function Folder({ path, folder, layout, stale, onRefresh }: FolderProps) {
  const sorting = useSorting(folder)
  const { gallery, ...dimensions } = layout
  const sorted = useSortedRows(folder, sorting, gallery)
  const coming = useStore(arrivingStore)
  const arriving = coming?.folder === path ? coming : undefined
  const listed: readonly ListedItem[] = useMemo(
    () => arriving?.addRows(sorted.rows, sorted.sorting) ?? sorted.rows,
    [arriving, sorted.rows, sorted.sorting],
  )
  const found = useFiltered(path, listed)
  const asked = useStore(namingStore)
  const naming = asked?.folder === path ? asked : undefined
  const named: readonly ListedItem[] = useMemo(
    () => naming?.addRow(found, sorted.sorting) ?? found,
    [naming, found, sorted.sorting],
  )
  const first = useFoldersFirstIn(path)
  const rows = useFolderOrder(named, gallery || first, sorted.sorting)
  const place = useScrollRestoration(path)
  const [state, setAny] = useGridState(rows, place.start, keyOf)
  const setState = useCallback(
    (next: GridState) => {
      const named = naming?.withoutRow(next, rows) ?? next
      setAny(arriving?.withoutRows(named, rows) ?? named)
    },
    [naming, arriving, rows, setAny],
  )
  const grid = useRef<GridHandle>(null)
  const user = useUserHere()
  const selection = useMemo(() => pick(state.selected, rows), [state.selected, rows])
  const open = useCallback(
    (item: ListedItem | undefined, look = false) => {
      if (!item || item.cells || !isHere(path)) return
      setQuickLook(look)
      const url = filesUrl(trustedChild(path, item.name), item.isDir)
      onceConfirmed(item, () => isHere(path) && void navigate(url))
    },
    [path],
  )

  // The old rows stay in the page until the next frame: a key pressed a moment ago must not act on them.
  const change = useCallback((next: GridState) => isHere(path) && setState(next), [path, setState])
  const goUp = () => isHere(path) && path !== '/' && void navigate(filesUrl(parentOf(path), true))

  const selectAll = useSelectAll(folder, rows.length, state, setState)
  usePublication({ folder, rows, selection, state, setState, selectAll, open, grid, onRefresh, stale })
  useArrival(path, folder, grid, state.focus, place.offset === undefined)
  useFocusRequests(path, rows, setState, grid)
  useFocusAfterPrompt(grid)
  useSortToTop(sorted.sorting, grid)
  usePrefetch()
  const { remember } = place
  const focusedName = rows[state.focus]?.name
  useEffect(() => {
    if (!stale) remember({ name: focusedName })
  }, [remember, focusedName, stale])

  const coarse = useCoarsePointer()
  const perm = user?.perm
  const mayDrag = !coarse && !naming && (perm?.rename ?? false)
  const mayDrop = perm?.rename || perm?.create
  const renderCells = useRenderCells(rows, dimensions.tile !== undefined, mayDrag)
  const columns = useListColumns().shown
  const sizesCall = useCallback((files: string) => picturesCall(path, files), [path])
  const drag = useDrag({ path, rows, selection, state, setState })
  useBackOutOfSelection(coarse && selection.length > 0, () => setState(clear(state)))
  const menu = useContextMenu(state, setState, grid)
  if (rows.length === 0) {
    return (
      <LazyBoundary>
        <EmptyFolder path={path} filtered={folder.items.length > 0} />
      </LazyBoundary>
    )
  }
  const chosen = sizeOf(state.selected)
  const all = chosen > 0 && chosen === (arriving ? rows.filter(({ cells }) => !cells) : rows).length
  const shared: GridShared = {
    ref: grid,
    label: t('files.listing', { name: nameOf(path) || t('files.home') }),
    count: rows.length,
    columns: columns.length + 3,
    ...dimensions,
    initialOffset: place.offset ?? 0,
    state,
    onState: change,
    singleClick: user?.singleClick ?? false,
    nameAt: index => rows[index]?.name ?? '',
    onOpen: index => open(rows[index]),
    onLook: index => !rows[index]?.isDir && open(rows[index], true),
    onUp: goUp,
    over: naming?.over(rows),
    draggable: mayDrag,
    dropAt: index => (mayDrop ? folderAt(path, rows[index]) : undefined),
    onDrag: drag,
    onMenu: at => isHere(path) && !rows[at.index]?.cells && menu.open(at),
    onScroll: offset => !stale && remember({ offset }),
  }
  const header = dimensions.headerHeight > 0 && (
    <ListHeader
      menu
      columns={columns}
      onMenu={() => openPrompt('columns', {})}
      grip={grip}
      sorting={sorted.sorting}
      onSort={by => void setPreferences({ sorting: afterHeaderClick(sorting, by) })}
      selected={all ? 'all' : chosen > 0 ? 'some' : 'none'}
      onSelectAll={() => (all ? setState({ ...state, selected: EMPTY }) : selectAll())}
    />
  )
  return (
    <>
      {gallery ? (
        <Gallery
          {...shared}
          rows={rows}
          sizesCall={sizesCall}
          addressOf={addressOf}
          pictures={user?.perm.download ?? false}
          byDate={sorted.sorting.by === 'modified'}
          marks
          menu
        />
      ) : (
        <VirtualGrid {...shared} header={header} renderCells={renderCells} />
      )}
      {menu.element}
    </>
  )
}
