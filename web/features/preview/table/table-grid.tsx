import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { shownName } from '../../../../shared/bytes.ts'
import { copyText } from '../../../lib/clipboard.ts'
import { formatNumber } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useTallScroll } from '../use-tall-scroll.ts'
import { columnName, columnStarts } from './columns.ts'
import { cellText, type Table } from './parse.ts'
import { type Cell, stepFrom } from './steps.ts'
import styles from './table.module.css'
import { useColumns } from './use-columns.ts'

/** CSS pixels, as in the style sheet. */
const ROW = 32
const HEAD = 32
const NUMBERS = 72
/** Maximum visible characters of a cell. */
const LONGEST = 200

interface TableGridProps {
  name: string
  table: Table
}

/**
 * A virtualised table after the ARIA Authoring Practices' grid pattern; only cells in view are rendered. The focus
 * stays on the grid, which names the current cell (`aria-activedescendant`).
 */
export function TableGrid({ name, table: { text, cells } }: TableGridProps) {
  const id = useId()
  const rows = cells.rows.length - 1
  const starts = useMemo(() => columnStarts(text, cells), [text, cells])
  const [current, setCurrent] = useState<Cell>({ row: 0, column: 0 })
  const scroll = useTallScroll(rows, ROW, HEAD)
  const columns = useColumns(scroll, starts, NUMBERS)
  if (rows === 0) return <p className={styles.empty}>{t('common.noPreview')}</p>
  const drawnRows = Array.from({ length: scroll.drawn }, (_, index) => scroll.top + index)
  const drawnColumns = Array.from({ length: columns.end - columns.first }, (_, index) => columns.first + index)
  const drawn = drawnRows.includes(current.row) && drawnColumns.includes(current.column)
  const place = (column: number) => ({
    insetInlineStart: (starts[column] ?? 0) + NUMBERS,
    inlineSize: (starts[column + 1] ?? 0) - (starts[column] ?? 0),
  })
  const go = (to: Cell) => {
    setCurrent(to)
    scroll.show(to.row)
    columns.show(to.column)
  }
  const choose = (target: EventTarget) => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]')?.dataset.cell : undefined
    const [row, column] = cell?.split(',').map(Number) ?? []
    if (row !== undefined && column !== undefined) setCurrent({ row, column })
  }
  const onKey = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c' && getSelection()?.isCollapsed !== false) {
      event.preventDefault()
      return void copyText(cellText(text, cells, current.row, current.column))
    }
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const to = stepFrom(current, event, { rows, columns: cells.columns, page: scroll.page, rtl })
    if (!to) return
    event.preventDefault()
    go(to)
  }
  return (
    <>
      <p className={styles.current}>
        <span className={styles.address}>{`${columnName(current.column)}${current.row + 1}`}</span>
        <bdi>{cellText(text, cells, current.row, current.column)}</bdi>
      </p>
      <div
        ref={scroll.scroller}
        className={styles.scroller}
        role="grid"
        tabIndex={0}
        aria-label={shownName(name)}
        aria-rowcount={rows + 1}
        aria-colcount={cells.columns + 1}
        aria-activedescendant={drawn ? `${id}-${current.row}-${current.column}` : undefined}
        onKeyDown={onKey}
        onClick={({ target }) => choose(target)}
      >
        <div
          role="presentation"
          style={{ blockSize: scroll.height, inlineSize: (starts[cells.columns] ?? 0) + NUMBERS }}
        >
          <div className={styles.window} role="rowgroup">
            <div className={`${styles.row} ${styles.head}`} role="row" aria-rowindex={1}>
              <span className={styles.number} role="columnheader">
                #
              </span>
              {drawnColumns.map(column => (
                <span
                  key={column}
                  className={styles.cell}
                  role="columnheader"
                  aria-colindex={column + 2}
                  style={place(column)}
                >
                  {columnName(column)}
                </span>
              ))}
            </div>
            {drawnRows.map(row => (
              <div
                key={row}
                className={styles.row}
                role="row"
                aria-rowindex={row + 2}
                data-first={row === 0 || undefined}
              >
                <span className={styles.number} role="rowheader">
                  {formatNumber(row + 1)}
                </span>
                {drawnColumns.map(column => (
                  <span
                    key={column}
                    id={`${id}-${row}-${column}`}
                    data-cell={`${row},${column}`}
                    className={styles.cell}
                    role="gridcell"
                    aria-colindex={column + 2}
                    aria-selected={row === current.row && column === current.column}
                    style={place(column)}
                  >
                    {cellText(text, cells, row, column).slice(0, LONGEST)}
                  </span>
                ))}
              </div>
            ))}
          </div>
        </div>
      </div>
    </>
  )
}
