import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { nameOf } from '../../../shared/path.ts'
import { DEFAULT_SORTING, type SortField, sortItems } from '../../../shared/sorting.ts'
import { t } from '../../lib/i18n/index.ts'
import { useCoarsePointer, useWindowClass } from '../../lib/media.ts'
import { useSession } from '../../lib/session.ts'
import { HeaderCell, HeaderRow } from '../../ui/grid/cells.tsx'
import { CheckHeader, type CheckHeaderProps } from '../../ui/grid/check-cells.tsx'
import { INITIAL } from '../../ui/grid/selection.ts'
import type { GridHandle } from '../../ui/grid/virtual-grid.tsx'
import { ArrowDown, ArrowUp } from '../../ui/icons.ts'
import cells from '../files/listing/cells.module.css'
import { useDensity } from '../files/listing/density.ts'
import { afterHeaderClick, directionOf } from '../files/listing/sort/sorting-choice.ts'
import { HitRow } from './hit-row.tsx'
import { ResultsGrid, type ResultsProps } from './results.tsx'
import styles from './table.module.css'
import type { Hit } from './use-hits.ts'
import type { TablePlace } from './use-table-place.ts'

/** Columns: selection, name, folder, size, last modified, menu. */
const COLUMNS = 6
const ROWS = { comfortable: 40, compact: 32 } as const
const TOUCH_ROW = 56
/** Additional height of a row with a line of a file. */
const LINE = 20
const HEADER = 36
const TOUCH_HEADER = 44

export interface TableResultsProps extends ResultsProps {
  /** Order and position, as they were left. */
  place: TablePlace
}

/** The results as a listing with columns. Mounted once per search. */
export function TableResults(props: TableResultsProps) {
  const { found, onClose, place } = props
  const { hits, query } = found
  const { sorting } = place
  const [left] = useState(place.takeLeft)
  const rows = useMemo(() => (sorting ? sorted(hits, sorting) : hits), [hits, sorting])
  const grid = useRef<GridHandle>(null)
  const coarse = useCoarsePointer()
  const narrow = useWindowClass() === 'narrow'
  const { user } = useSession()
  const density = useDensity()
  const rowHeight = (coarse || narrow ? TOUCH_ROW : ROWS[density]) + (found.contents ? LINE : 0)
  const exactDates = user?.dateFormat ?? false
  const pictures = user?.perm.download ?? false
  const renderCells = useCallback(
    (index: number, selected: boolean) => {
      const hit = rows[index]
      return hit && <HitRow {...{ hit, query, selected, exactDates, pictures, onClose }} />
    },
    [rows, query, exactDates, pictures, onClose],
  )
  const start = (all: readonly Hit[]) => {
    const index = left?.path === undefined ? -1 : all.findIndex(({ path }) => path === left.path)
    return index < 0 ? INITIAL : { ...INITIAL, focus: index, anchor: index }
  }
  useEffect(() => {
    if (left?.path === undefined) return
    // Until the frame the page is inert below the viewer that closes.
    const frame = requestAnimationFrame(() => grid.current?.focus())
    return () => cancelAnimationFrame(frame)
  }, [left])
  const onOpen = (hit: Hit) => {
    place.leave({ path: hit.path })
    props.onOpen?.(hit)
  }
  return (
    <ResultsGrid
      {...props}
      rows={rows}
      columns={COLUMNS}
      rowHeight={rowHeight}
      className={styles.table}
      renderCells={renderCells}
      headerHeight={coarse ? TOUCH_HEADER : HEADER}
      header={check => <Header {...check} place={place} />}
      start={start}
      offset={left?.offset ?? 0}
      onScroll={offset => place.leave({ offset })}
      onOpen={onOpen}
      grid={grid}
    />
  )
}

function sorted(hits: readonly Hit[], sorting: NonNullable<TablePlace['sorting']>): Hit[] {
  const items = hits.map(hit => {
    const { path, isDir, size = 0, modified = '' } = hit
    return { hit, name: nameOf(path), isDir, size, modified }
  })
  return sortItems(items, sorting).map(({ hit }) => hit)
}

/** The row of column headers; all but the folder sort. */
function Header({ place: { sorting, sort }, ...check }: CheckHeaderProps & { place: TablePlace }) {
  const title = (by: SortField, label: string) => (
    <HeaderCell className={cells[by]} sort={sorting?.by === by ? directionOf(sorting) : 'none'}>
      <button
        type="button"
        className={cells.sort}
        onClick={() =>
          sort(sorting || by !== 'name' ? afterHeaderClick(sorting ?? DEFAULT_SORTING, by) : DEFAULT_SORTING)
        }
      >
        {label}
        {sorting?.by === by &&
          (directionOf(sorting) === 'ascending' ? (
            <ArrowUp size={14} aria-hidden />
          ) : (
            <ArrowDown size={14} aria-hidden />
          ))}
      </button>
    </HeaderCell>
  )
  return (
    <HeaderRow className={cells.header}>
      <CheckHeader {...check} />
      {title('name', t('files.columnName'))}
      <HeaderCell className={styles.where}>{t('found.where')}</HeaderCell>
      {title('size', t('files.columnSize'))}
      {title('modified', t('files.columnModified'))}
      <HeaderCell className={cells.menu}>
        <span className="visually-hidden">{t('files.menu')}</span>
      </HeaderCell>
    </HeaderRow>
  )
}
