import { type RefObject, useCallback, useMemo, useRef, useState } from 'react'
import type { FolderResource, ResourceItem } from '../../../../shared/api/resources.ts'
import { DEFAULT_SORTING, type Sorting } from '../../../../shared/sorting.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useShortcuts } from '../../../lib/keyboard.ts'
import { useCoarsePointer, useWindowClass } from '../../../lib/media.ts'
import { navigate } from '../../../lib/router.tsx'
import { useSession } from '../../../lib/session.ts'
import { allOf, EMPTY, pick, sizeOf } from '../../../ui/grid/range-set.ts'
import { clear, type GridState, INITIAL, includeRow } from '../../../ui/grid/selection.ts'
import { type GridHandle, VirtualGrid } from '../../../ui/grid/virtual-grid.tsx'
import { COLUMNS, FileCells, ListHeader } from '../listing/cells.tsx'
import { useFocusAfterPrompt } from '../listing/folder-hooks.ts'
import { afterHeaderClick } from '../listing/sort/sorting-choice.ts'
import { useSortedRows } from '../listing/sort/use-sorted.ts'
import { useGridState } from '../listing/use-grid-state.ts'
import styles from './read-only-folder.module.css'

const ROW = 40
const TOUCH_ROW = 56
const HEADER = 36
const TOUCH_HEADER = 48

/** Order, focus and selection of a folder that users look into but cannot change. */
export interface ReadOnlyView {
  rows: readonly ResourceItem[]
  selected: readonly ResourceItem[]
  sorting: Sorting
  sortBy: (by: Sorting['by']) => void
  state: GridState
  setState: (next: GridState) => void
  selectAll: () => void
  clearSelection: () => void
  grid: RefObject<GridHandle | null>
}

const keyOf = ({ name }: ResourceItem) => name

/** The view of `folder`; Ctrl+A selects all, Escape clears the selection. */
export function useReadOnlyView(folder: FolderResource): ReadOnlyView {
  const [order, setOrder] = useState(DEFAULT_SORTING)
  const { rows, sorting } = useSortedRows(folder, order)
  const grid = useRef<GridHandle>(null)
  const [state, setState] = useGridState(rows, () => INITIAL, keyOf)
  const selected = useMemo(() => pick(state.selected, rows), [state.selected, rows])
  const selectAll = () => setState({ ...state, selected: allOf(rows.length) })
  const clearSelection = () => {
    setState(clear(state))
    grid.current?.focus()
  }
  useFocusAfterPrompt(grid)
  useShortcuts('listing', [
    { keys: 'Ctrl+A', run: selectAll },
    { keys: 'Escape', run: () => (selected.length > 0 ? clearSelection() : false) },
  ])
  const sortBy = (by: Sorting['by']) => setOrder(afterHeaderClick(order, by))
  return { rows, selected, sorting, sortBy, state, setState, selectAll, clearSelection, grid }
}

interface ReadOnlyFolderProps {
  view: ReadOnlyView
  label: string
  /** Address of an item, of the same function while the folder is the same. */
  addressOf: (item: ResourceItem) => string
  onUp: () => void
}

/** The rows of a folder in the trash or in a snapshot. */
export function ReadOnlyFolder({ view, label, addressOf, onUp }: ReadOnlyFolderProps) {
  const { rows, state, setState } = view
  const coarse = useCoarsePointer()
  const compact = useWindowClass() === 'narrow'
  const { user } = useSession()
  const renderCells = useCallback(
    (index: number, selected: boolean) => {
      const item = rows[index]
      return item && <FileCells item={item} selected={selected} to={addressOf(item)} exactDates={false} />
    },
    [rows, addressOf],
  )
  const open = (index: number) => {
    const item = rows[index]
    if (item) void navigate(addressOf(item))
  }
  if (rows.length === 0) return <p className={styles.empty}>{t('files.empty')}</p>
  return (
    <div className={styles.list} data-compact={compact || undefined}>
      <VirtualGrid
        ref={view.grid}
        label={label}
        count={rows.length}
        columns={COLUMNS}
        rowHeight={coarse || compact ? TOUCH_ROW : ROW}
        headerHeight={coarse ? TOUCH_HEADER : HEADER}
        initialOffset={0}
        state={state}
        onState={setState}
        singleClick={user?.singleClick ?? false}
        header={<Header view={view} />}
        renderCells={renderCells}
        nameAt={index => rows[index]?.name ?? ''}
        onOpen={open}
        onUp={onUp}
        onMenu={({ index }) => index >= 0 && setState(includeRow(state, index))}
      />
    </div>
  )
}

function Header({ view }: { view: ReadOnlyView }) {
  const { rows, state, setState, selectAll, sorting, sortBy } = view
  const count = sizeOf(state.selected)
  const isAll = count === rows.length
  return (
    <ListHeader
      sorting={sorting}
      onSort={sortBy}
      selected={count === 0 ? 'none' : isAll ? 'all' : 'some'}
      onSelectAll={() => (isAll ? setState({ ...state, selected: EMPTY }) : selectAll())}
    />
  )
}
