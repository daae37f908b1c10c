import { type ReactNode, useId } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
import type { SortField, Sorting } from '../../../../shared/sorting.ts'
import { formatDate, formatRelative, splitBytes } from '../../../lib/i18n/format.ts'
import { type MessageKey, t } from '../../../lib/i18n/index.ts'
import { useStore } from '../../../lib/store.ts'
import { Cell, HeaderCell, HeaderRow } from '../../../ui/grid/cells.tsx'
import { CheckCell, CheckHeader, type CheckHeaderProps } from '../../../ui/grid/check-cells.tsx'
import { RowLink } from '../../../ui/grid/row-link.tsx'
import { ArrowDown, ArrowUp, CornerUpRight, Ellipsis, Share2 } from '../../../ui/icons.ts'
import { kindOf } from '../../../ui/kind.ts'
import { Scissors } from '../../../ui/late-icons.ts'
import { Star } from '../../../ui/star.tsx'
import { isPending } from '../api/edit-listing.ts'
import { folderSizesStore, sizesHintStore } from '../items/folder-sizes.ts'
import { kindName } from '../items/kind-name.ts'
import { splitName } from '../items/names.ts'
import { rowMarksStore } from '../items/row-marks.ts'
import { starredStore } from '../items/starred.ts'
import { Thumb } from '../items/thumb.tsx'
import { useUnpasted } from '../operations/clipboard.ts'
import styles from './cells.module.css'
import { DEFAULT_COLUMNS, type ExtraColumn } from './columns.ts'
import { directionOf } from './sort/sorting-choice.ts'
import { sharedStore } from './use-share-marks.ts'

/** Columns of a list that cannot be configured: selection, name, size, last modified. */
export const COLUMNS = 4

/** How entries are rendered, in every view. */
export interface CellOptions {
  /** The user's setting: full dates instead of "3 days ago". */
  exactDates: boolean
  /** Whether thumbnails are shown. */
  pictures?: boolean
  /** Whether the items are the user's own: stars, links and the pictures of folders are shown. */
  marks?: boolean
}

interface FileCellsProps extends CellOptions {
  item: ResourceItem
  selected: boolean
  /** The address of the item. */
  to: string
  /** Whether the name can be dragged although its row is not selected. */
  draggable?: boolean
  /** Whether an entry has a menu button. */
  menu?: boolean
  /** The columns after the name. */
  columns?: readonly ExtraColumn[]
}

/** The cells of a file or folder in the list view. */
export function FileCells(props: FileCellsProps) {
  const { item, selected, to, exactDates, pictures, marks, draggable, menu, columns = DEFAULT_COLUMNS.shown } = props
  return (
    <>
      <CheckCell name={item.name} selected={selected} />
      <Cell className={styles.name}>
        <span className={styles.handle} draggable={draggable || undefined} data-pending={isPending(item) || undefined}>
          <Thumb item={item} allowed={pictures ?? false} />
          <FileName name={item.name} to={to} />
          {item.isSymlink && <LinkBadge />}
          {marks && <Marks item={item} />}
        </span>
      </Cell>
      {columns.map(column => (
        <Cell key={column} className={styles[column]}>
          {column === 'kind' && kindName(kindOf(item))}
          {column === 'size' && <Size item={item} />}
          {column === 'modified' && <Modified item={item} exactDates={exactDates} />}
        </Cell>
      ))}
      {menu && (
        <Cell className={styles.menu}>
          <RowMenu item={item} className={undefined} />
        </Cell>
      )}
    </>
  )
}

interface PartProps {
  item: Pick<ResourceItem, 'name'>
  className: string | undefined
}

/** Opens an entry's menu; the grid handles clicks on it. */
export function RowMenu({ item, className }: PartProps) {
  const classes = [styles.menuButton, className].filter(Boolean).join(' ')
  return (
    <button
      type="button"
      className={classes}
      tabIndex={-1}
      aria-haspopup="menu"
      aria-label={t('views.menuOf', { name: item.name })}
    >
      <Ellipsis size={18} aria-hidden />
    </button>
  )
}

/** An entry's modification time. */
export function Modified({ item, exactDates }: { item: ResourceItem; exactDates: boolean }) {
  return (
    <time className={styles.figure} dateTime={item.modified} title={formatDate(item.modified)}>
      {exactDates ? formatDate(item.modified) : formatRelative(item.modified)}
    </time>
  )
}

/**
 * A name on one line, truncated in the middle so that its extension stays visible. @param to makes it a link, in rows of
 * a grid
 */
export function FileName({ name, to }: { name: string; to?: string }) {
  const shown = shownName(name)
  const { start, end } = splitName(shown)
  return (
    <RowLink to={to} className={styles.fileName} title={end ? shown : undefined}>
      <span className={styles.start}>{start}</span>
      {end && <span className={styles.end}>{end}</span>}
    </RowLink>
  )
}

/** Marks a symbolic link. */
function LinkBadge() {
  return (
    <span className={styles.badge} role="img" aria-label={t('details.link')} data-tip={t('details.isLink')}>
      <CornerUpRight size={14} aria-hidden data-along="" />
    </span>
  )
}

/** Marks an item that is cut, starred or tagged, or has a share link of the user's own. */
export function Marks({ item: { path } }: { item: Pick<ResourceItem, 'path'> }) {
  const cut = useUnpasted()?.cut.has(path)
  const starred = useStore(starredStore).has(path)
  const shared = useStore(sharedStore).has(path)
  const tags = useStore(rowMarksStore).get(path)
  return (
    <>
      {cut && (
        <span data-cut="">
          <Mark icon={Scissors} label={t('actions.cut')} />
        </span>
      )}
      {starred && <Mark icon={Star} label={t('files.starred')} />}
      {shared && <Mark icon={Share2} label={t('files.shared')} />}
      {tags}
    </>
  )
}

/** An icon next to a name, whose label is shown as a tip. */
export function Mark({ icon: Icon, label }: { icon: typeof Star; label: string }) {
  return (
    <span className={styles.badge} role="img" aria-label={label} data-tip={label}>
      <Icon size={14} aria-hidden />
    </span>
  )
}

export function Size({ item }: { item: ResourceItem }) {
  const known = useStore(folderSizesStore).get(item.path)
  const hint = useStore(sizesHintStore)
  const size = item.isDir ? known : item.size
  if (size === undefined) {
    return (
      <span aria-hidden="true" data-tip={hint}>
        –
      </span>
    )
  }
  if (item.type === 'invalid_link') return <span className={styles.unit}>{t('files.brokenLink')}</span>
  const { value, unit } = splitBytes(size)
  return (
    <span className={styles.figure}>
      {value}
      <span className={styles.unit}>{`\u00a0${unit}`}</span>
    </span>
  )
}

const HEADERS: Record<'name' | ExtraColumn, MessageKey> = {
  name: 'files.columnName',
  kind: 'details.kind',
  size: 'files.columnSize',
  modified: 'files.columnModified',
}

/** Display name of a column. */
export const columnName = (column: ExtraColumn): string => t(HEADERS[column])

export interface HeaderCellsProps extends CheckHeaderProps {
  sorting: Sorting
  onSort: (by: SortField) => void
  /** Whether there is a column for menu buttons. */
  menu?: boolean
  /** The columns after the name. */
  columns?: readonly ExtraColumn[]
  /** Opens the menu of the columns; none where they cannot be configured. */
  onMenu?: () => void
  /** Renders the edge by which a column is resized. */
  grip?: (column: ExtraColumn) => ReactNode
}

/** The row of column headers, which sort. */
export function ListHeader(props: HeaderCellsProps) {
  const { sorting, onSort, selected, onSelectAll, menu, columns, onMenu, grip } = props
  const shown = ['name', ...(columns ?? DEFAULT_COLUMNS.shown)] as const
  const sizesHint = useStore(sizesHintStore)
  const hintId = useId()
  return (
    <HeaderRow className={styles.header} onMenu={onMenu}>
      <CheckHeader selected={selected} onSelectAll={onSelectAll} />
      {shown.map(by => {
        const hint = by === 'size' ? sizesHint : undefined
        return (
          <HeaderCell key={by} className={styles[by]} sort={sorting.by === by ? directionOf(sorting) : 'none'}>
            {by !== 'name' && grip?.(by)}
            <button
              type="button"
              className={styles.sort}
              data-tip={hint}
              aria-describedby={hint && hintId}
              onClick={() => onSort(by)}
            >
              {t(HEADERS[by])}
              {sorting.by === by && <Direction sorting={sorting} />}
            </button>
            {hint && (
              <span id={hintId} hidden>
                {hint}
              </span>
            )}
          </HeaderCell>
        )
      })}
      {menu && (
        <HeaderCell className={styles.menu}>
          <span className="visually-hidden">{t('files.menu')}</span>
        </HeaderCell>
      )}
    </HeaderRow>
  )
}

function Direction({ sorting }: { sorting: Sorting }) {
  const Icon = directionOf(sorting) === 'ascending' ? ArrowUp : ArrowDown
  return <Icon size={14} aria-hidden />
}
