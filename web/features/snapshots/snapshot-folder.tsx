import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { FolderResource, ResourceItem } from '../../../shared/api/resources.ts'
import { nameOf, parentOf, ROOT, trustedChild } from '../../../shared/path.ts'
import { DEFAULT_SORTING } from '../../../shared/sorting.ts'
import { t } from '../../lib/i18n/index.ts'
import { useShortcuts } from '../../lib/keyboard.ts'
import { useCoarsePointer, useWindowClass } from '../../lib/media.ts'
import { navigate } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { allOf, EMPTY, pick, sizeOf } from '../../ui/grid/range-set.ts'
import { clear, INITIAL, includeRow } from '../../ui/grid/selection.ts'
import { type GridHandle, VirtualGrid } from '../../ui/grid/virtual-grid.tsx'
import { type SnapshotPlace, snapshotUrl } from '../files/api/snapshots.ts'
import { COLUMNS, FileCells, ListHeader } from '../files/listing/cells.tsx'
import { useFocusAfterPrompt } from '../files/listing/folder-hooks.ts'
import { afterHeaderClick } from '../files/listing/sort/sorting-choice.ts'
import { useSortedRows } from '../files/listing/sort/use-sorted.ts'
import { useGridState } from '../files/listing/use-grid-state.ts'
import styles from './snapshots.module.css'

const ROW = 40
const TOUCH_ROW = 56
const HEADER = 36
const TOUCH_HEADER = 48

interface SnapshotFolderProps {
  place: SnapshotPlace
  folder: FolderResource
  onSelect: (items: readonly ResourceItem[]) => void
}

/** A folder in a snapshot, to look into and to select from. */
export function SnapshotFolder({ place, folder, onSelect }: SnapshotFolderProps) {
  const [order, setOrder] = useState(DEFAULT_SORTING)
  const { rows, sorting } = useSortedRows(folder, order)
  const grid = useRef<GridHandle>(null)
  const [state, setState] = useGridState(
    rows,
    () => INITIAL,
    ({ name }) => name,
  )
  const coarse = useCoarsePointer()
  const compact = useWindowClass() === 'narrow'
  const { user } = useSession()
  const selection = useMemo(
    () => pick(state.selected, rows).map(item => ({ ...item, path: trustedChild(place.path, item.name) })),
    [state.selected, rows, place.path],
  )
  useEffect(() => onSelect(selection), [onSelect, selection])
  useFocusAfterPrompt(grid)
  const all = () => setState({ ...state, selected: allOf(rows.length) })
  const end = () => setState(clear(state))
  useShortcuts('listing', [
    { keys: 'Ctrl+A', run: all },
    { keys: 'Escape', run: () => (selection.length > 0 ? end() : false) },
  ])
  const { at, path } = place
  const addressOf = useCallback(
    (item: ResourceItem) => snapshotUrl({ at, path: trustedChild(path, item.name) }, item.isDir),
    [at, path],
  )
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
  const chosen = sizeOf(state.selected)
  if (rows.length === 0) return <p className={styles.empty}>{t('files.empty')}</p>
  return (
    <div className={styles.list} data-compact={compact || undefined}>
      <VirtualGrid
        ref={grid}
        label={t('files.listing', { name: nameOf(path) || t('files.home') })}
        count={rows.length}
        columns={COLUMNS}
        rowHeight={coarse || compact ? TOUCH_ROW : ROW}
        headerHeight={coarse ? TOUCH_HEADER : HEADER}
        initialOffset={0}
        state={state}
        onState={setState}
        singleClick={user?.singleClick ?? false}
        header={
          <ListHeader
            sorting={sorting}
            onSort={by => setOrder(afterHeaderClick(order, by))}
            selected={chosen === 0 ? 'none' : chosen === rows.length ? 'all' : 'some'}
            onSelectAll={() => (chosen === rows.length ? setState({ ...state, selected: EMPTY }) : all())}
          />
        }
        renderCells={renderCells}
        nameAt={index => rows[index]?.name ?? ''}
        onOpen={open}
        onUp={() => path !== ROOT && void navigate(snapshotUrl({ at, path: parentOf(path) }, true))}
        onMenu={({ index }) => index >= 0 && setState(includeRow(state, index))}
      />
    </div>
  )
}
