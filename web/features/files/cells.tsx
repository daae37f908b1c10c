import type { ResourceItem } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { SORT_FIELDS, type SortField, type Sorting } from '../../../shared/sorting.ts'
import { formatDate, formatRelative, splitBytes } from '../../lib/i18n/format.ts'
import { type MessageKey, t } from '../../lib/i18n/index.ts'
import { Glyph, kindOf } from '../../ui/glyph.tsx'
import { Cell, HeaderCell, HeaderRow } from '../../ui/grid/cells.tsx'
import { ArrowDown, ArrowUp } from '../../ui/icons.ts'
import styles from './cells.module.css'
import { splitName } from './names.ts'
import { directionOf } from './sort/sorting-choice.ts'

/** Columns: selection, name, size, last modified. */
export const COLUMNS = 4

/** The cells of one file or folder. @param exactDates the user's setting: dates in full instead of "3 days ago" */
export function FileCells({
  item,
  selected,
  exactDates,
}: {
  item: ResourceItem
  selected: boolean
  exactDates: boolean
}) {
  return (
    <>
      <Cell className={styles.check}>
        <input
          type="checkbox"
          className={styles.box}
          tabIndex={-1}
          checked={selected}
          readOnly
          aria-label={t('files.select', { name: item.name })}
        />
      </Cell>
      <Cell className={styles.name}>
        <Glyph kind={kindOf(item)} />
        <FileName name={item.name} />
      </Cell>
      <Cell className={styles.size}>
        <Size item={item} />
      </Cell>
      <Cell className={styles.modified}>
        <time className={styles.figure} dateTime={item.modified} title={formatDate(item.modified)}>
          {exactDates ? formatDate(item.modified) : formatRelative(item.modified)}
        </time>
      </Cell>
    </>
  )
}

/** A name on one line that, when there is no room, is cut in the middle and keeps its extension. */
export function FileName({ name }: { name: string }) {
  const shown = shownName(name)
  const { start, end } = splitName(shown)
  return (
    <bdi className={styles.fileName} title={end ? shown : undefined}>
      <span className={styles.start}>{start}</span>
      {end && <span className={styles.end}>{end}</span>}
    </bdi>
  )
}

function Size({ item }: { item: ResourceItem }) {
  if (item.isDir) return <span aria-hidden="true">–</span>
  if (item.type === 'invalid_link') return <span className={styles.unit}>{t('files.brokenLink')}</span>
  const { value, unit } = splitBytes(item.size)
  return (
    <span className={styles.figure}>
      {value}
      <span className={styles.unit}>{`\u00a0${unit}`}</span>
    </span>
  )
}

const HEADERS: Record<SortField, { label: MessageKey & `files.${string}`; className: string | undefined }> = {
  name: { label: 'files.columnName', className: styles.name },
  size: { label: 'files.columnSize', className: styles.size },
  modified: { label: 'files.columnModified', className: styles.modified },
}

export interface HeaderCellsProps {
  sorting: Sorting
  onSort: (by: SortField) => void
  /** Whether all, some or no rows are selected. */
  selected: 'all' | 'some' | 'none'
  onSelectAll: () => void
}

/** The row of column headers; each sorts. */
export function ListHeader({ sorting, onSort, selected, onSelectAll }: HeaderCellsProps) {
  return (
    <HeaderRow className={styles.header}>
      <HeaderCell className={styles.check}>
        <input
          type="checkbox"
          className={styles.box}
          ref={box => {
            if (box) box.indeterminate = selected === 'some'
          }}
          checked={selected === 'all'}
          onChange={onSelectAll}
          aria-label={t('actions.selectAll')}
        />
      </HeaderCell>
      {SORT_FIELDS.map(by => (
        <HeaderCell key={by} className={HEADERS[by].className} sort={sorting.by === by ? directionOf(sorting) : 'none'}>
          <button type="button" className={styles.sort} onClick={() => onSort(by)}>
            {t(HEADERS[by].label)}
            {sorting.by === by && <Direction sorting={sorting} />}
          </button>
        </HeaderCell>
      ))}
    </HeaderRow>
  )
}

function Direction({ sorting }: { sorting: Sorting }) {
  const Icon = directionOf(sorting) === 'ascending' ? ArrowUp : ArrowDown
  return <Icon size={14} aria-hidden />
}
