import { memo, type ReactNode } from 'react'
import styles from './virtual-grid.module.css'

interface GridRowProps {
  /** Of the element; it does not follow the row into another one. */
  id: string
  index: number
  /** Offset below the first row, in CSS pixels. */
  top: number
  height: number
  selected: boolean
  /** Whether the row above, or below, is selected too: a contiguous block gets one rounded outline. */
  joinsBefore: boolean
  joinsAfter: boolean
  /** The one row in the tab order. */
  focusable: boolean
  renderCells: (index: number, selected: boolean) => ReactNode
}

/** One row. Events are handled by the grid; the row holds no functions and no state of its own. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { id, index, top, height, selected, focusable } = props
  return (
    <div
      id={id}
      role="row"
      className={styles.row}
      // The header is row 1.
      aria-rowindex={index + 2}
      aria-selected={selected}
      tabIndex={focusable ? 0 : -1}
      data-index={index}
      data-joins-before={props.joinsBefore || undefined}
      data-joins-after={props.joinsAfter || undefined}
      style={{ transform: `translateY(${top}px)`, blockSize: height }}
    >
      {props.renderCells(index, selected)}
    </div>
  )
})
