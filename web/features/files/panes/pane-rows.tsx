import { type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { FolderResource, ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, nameOf, parentOf, ROOT, trustedChild } from '../../../../shared/path.ts'
import { DEFAULT_SORTING } from '../../../../shared/sorting.ts'
import { t } from '../../../lib/i18n/index.ts'
import { filesUrl } from '../../../lib/router.tsx'
import { useSession } from '../../../lib/session.ts'
import { allOf, EMPTY, pick, sizeOf } from '../../../ui/grid/range-set.ts'
import { carryOver, clear, focusRow, type GridState, INITIAL, includeRow } from '../../../ui/grid/selection.ts'
import { type GridHandle, VirtualGrid } from '../../../ui/grid/virtual-grid.tsx'
import type { ListedItem } from '../api/edit-listing.ts'
import { useFolderOrder } from '../items/folders-first.ts'
import { FileCells, ListHeader } from '../listing/cells.tsx'
import type { ExtraColumn } from '../listing/columns.ts'
import { useDrag } from '../listing/drag/use-drag.ts'
import { useFoldersFirstIn } from '../listing/preferences.ts'
import { afterHeaderClick } from '../listing/sort/sorting-choice.ts'
import { useSortedRows } from '../listing/sort/use-sorted.ts'
import styles from './second-pane.module.css'

const ROW = 40
const HEADER = 36
/** There is room for one column besides the name. */
const COLUMNS: readonly ExtraColumn[] = ['size']

export interface PaneRowsHandle {
  selectAll(): void
  clearSelection(): void
}

interface PaneRowsProps {
  path: FilePath
  folder: FolderResource
  /** The folder that was shown before; its row has the focus where it is one of these. */
  before: FilePath | undefined
  onChoose: (items: readonly ResourceItem[]) => void
  onOpen: (item: ResourceItem) => void
  onUp: () => void
  ref: Ref<PaneRowsHandle>
}

/** The rows of the second pane, with a selection of their own. Mounted once per folder. */
export function PaneRows({ path, folder, before, onChoose, onOpen, onUp, ref }: PaneRowsProps) {
  const { user } = useSession()
  const perm = user?.perm
  const [order, setOrder] = useState(DEFAULT_SORTING)
  const sorted = useSortedRows(folder, order)
  const { sorting } = sorted
  const rows = useFolderOrder(sorted.rows, useFoldersFirstIn(path), sorting)
  const [state, setState] = useRowState(rows, () => startAt(rows, path, before))
  const selection = useMemo(() => pick(state.selected, rows), [state.selected, rows])
  const grid = useRef<GridHandle>(null)
  const drag = useDrag({ path, rows, selection, state, setState })
  const selectAll = () => setState({ ...state, selected: allOf(rows.length) })
  useImperativeHandle(ref, () => ({ selectAll, clearSelection: () => setState(clear(state)) }))
  useEffect(() => onChoose(selection), [onChoose, selection])
  useEffect(() => {
    if (before !== undefined) grid.current?.focus()
  }, [before])
  const mayDrag = perm?.rename ?? false
  const pictures = perm?.download ?? false
  const renderCells = useCallback(
    (index: number, selected: boolean) => {
      const item = rows[index]
      if (!item) return null
      const to = filesUrl(item.path, item.isDir)
      const options = { exactDates: false, pictures, draggable: mayDrag, columns: COLUMNS, marks: true }
      return <FileCells item={item} selected={selected} to={to} {...options} />
    },
    [rows, pictures, mayDrag],
  )
  if (rows.length === 0) return <p className={styles.empty}>{t('files.empty')}</p>
  const chosen = sizeOf(state.selected)
  const isAll = chosen === rows.length
  const open = (index: number) => {
    const item = rows[index]
    if (item) onOpen(item)
  }
  return (
    <VirtualGrid
      ref={grid}
      label={t('files.listing', { name: nameOf(path) || t('files.home') })}
      count={rows.length}
      columns={COLUMNS.length + 2}
      rowHeight={ROW}
      headerHeight={HEADER}
      initialOffset={Math.max(0, state.focus - 3) * ROW}
      state={state}
      onState={setState}
      singleClick={user?.singleClick ?? false}
      nameAt={index => rows[index]?.name ?? ''}
      onOpen={open}
      onUp={() => path !== ROOT && onUp()}
      draggable={mayDrag}
      dropAt={index => (rows[index]?.isDir ? trustedChild(path, rows[index].name) : undefined)}
      onDrag={drag}
      onMenu={({ index }) => index >= 0 && setState(includeRow(state, index))}
      renderCells={renderCells}
      header={
        <ListHeader
          columns={COLUMNS}
          sorting={sorting}
          onSort={by => setOrder(afterHeaderClick(order, by))}
          selected={chosen === 0 ? 'none' : isAll ? 'all' : 'some'}
          onSelectAll={() => (isAll ? setState({ ...state, selected: EMPTY }) : selectAll())}
        />
      }
    />
  )
}

function startAt(rows: readonly ListedItem[], path: FilePath, before: FilePath | undefined): GridState {
  if (before === undefined || before === ROOT || parentOf(before) !== path) return INITIAL
  const index = rows.findIndex(({ name }) => name === nameOf(before))
  return index < 0 ? INITIAL : focusRow(INITIAL, index)
}

const keyOf = ({ name }: ListedItem) => name

/** Focus and selection, which follow their rows. The address, which is that of the first pane, leaves them alone. */
function useRowState(rows: readonly ListedItem[], start: () => GridState): [GridState, (next: GridState) => void] {
  const [held, setHeld] = useState(() => ({ rows, state: start() }))
  let current = held
  if (held.rows !== rows) {
    current = { rows, state: carryOver(held.state, held.rows, rows, keyOf) }
    setHeld(current)
  }
  const setState = useCallback((state: GridState) => setHeld(now => ({ rows: now.rows, state })), [])
  return [current.state, setState]
}
