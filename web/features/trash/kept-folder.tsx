import { useCallback, useMemo, useRef, useState } from 'react'
import type { FolderResource, ResourceItem } from '../../../shared/api/resources.ts'
import { nameOf, parentOf, ROOT, trustedChild } from '../../../shared/path.ts'
import { DEFAULT_SORTING } from '../../../shared/sorting.ts'
import { t } from '../../lib/i18n/index.ts'
import { useShortcuts } from '../../lib/keyboard.ts'
import { useCoarsePointer, useWindowClass } from '../../lib/media.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { navigate } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { allOf, EMPTY, pick, sizeOf } from '../../ui/grid/range-set.ts'
import { clear, INITIAL, includeRow } from '../../ui/grid/selection.ts'
import { type GridHandle, VirtualGrid } from '../../ui/grid/virtual-grid.tsx'
import { COLUMNS, FileCells, ListHeader } from '../files/listing/cells.tsx'
import { useFocusAfterPrompt } from '../files/listing/folder-hooks.ts'
import { afterHeaderClick } from '../files/listing/sort/sorting-choice.ts'
import { useSortedRows } from '../files/listing/sort/use-sorted.ts'
import { useGridState } from '../files/listing/use-grid-state.ts'
import { type KeptPlace, keptUrl } from './api/trash.ts'
import { PhoneBar, TrashBar } from './bar.tsx'
import { restoreItems } from './restore.ts'
import styles from './trash.module.css'

const ROW = 40
const TOUCH_ROW = 56
const HEADER = 36
const TOUCH_HEADER = 48

interface KeptFolderProps {
  place: KeptPlace
  folder: FolderResource
  /** The element that the selection's actions cover. */
  strip: HTMLElement | null
}

/** A folder in the trash: to look into, and to restore parts of it. */
export function KeptFolder({ place, folder, strip }: KeptFolderProps) {
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
    () =>
      pick(state.selected, rows).map(item => ({ ...item, id: place.id, inner: trustedChild(place.path, item.name) })),
    [state.selected, rows, place],
  )
  const commands =
    user?.perm.create && selection.length > 0
      ? {
          restore: () => void restoreItems(selection),
          restoreTo: () => openPrompt('restoreTo', { items: selection }),
        }
      : {}
  useFocusAfterPrompt(grid)
  const all = () => setState({ ...state, selected: allOf(rows.length) })
  const end = () => {
    setState(clear(state))
    grid.current?.focus()
  }
  useShortcuts('listing', [
    { keys: 'Ctrl+Enter', run: () => (commands.restore ? commands.restore() : false) },
    { keys: 'Ctrl+A', run: all },
    { keys: 'Escape', run: () => (selection.length > 0 ? end() : false) },
  ])
  const addressOf = useCallback(
    (item: ResourceItem) => keptUrl({ ...place, path: trustedChild(place.path, item.name) }, item.isDir),
    [place],
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
    <>
      {chosen > 0 && (
        <TrashBar strip={strip} count={chosen} commands={commands} compact={compact} onEnd={end} onAll={all} />
      )}
      <div className={styles.inside} data-compact={compact || undefined}>
        <VirtualGrid
          ref={grid}
          label={t('files.listing', { name: nameOf(place.path) || folder.name })}
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
          onUp={() =>
            void navigate(place.path === ROOT ? '/trash/' : keptUrl({ ...place, path: parentOf(place.path) }, true))
          }
          onMenu={({ index }) => index >= 0 && setState(includeRow(state, index))}
        />
      </div>
      {compact && chosen > 0 && <PhoneBar commands={commands} />}
    </>
  )
}
