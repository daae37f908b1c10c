import { memo, type ReactNode } from 'react'
import { useLocale } from '../../lib/i18n/index.ts'
import styles from './virtual-grid.module.css'

interface GridRowProps {
  /** Of the element; not stable for a row, since elements are recycled. */
  id?: string
  index: number
  /** `aria-rowindex`: counted from 1, including the header. */
  position: number
  /** Offset below the first line, in CSS pixels. */
  top: number
  height: number
  /** Of a tile: see `TilePlace`. */
  start?: string
  shift?: number
  size?: string
  selected?: boolean
  /** Whether the row above, or below, is selected too: a contiguous block gets one rounded outline. */
  joinsBefore?: boolean
  joinsAfter?: boolean
  /** The one row in the tab order. */
  focusable?: boolean
  draggable?: boolean
  /** Path of the row's folder, if it is a drop target. */
  drop?: string | undefined
  /** Lies over the row of this index. */
  over?: boolean
  renderCells: (index: number, selected: boolean) => ReactNode
}

/** One row. The grid handles events; the row holds no functions and no state of its own. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { id, index, top, height, start, shift, size, selected = false, focusable, draggable, over } = props
  useLocale()
  return (
    <div
      id={id}
      role="row"
      className={styles.row}
      aria-rowindex={props.position}
      aria-selected={selected}
      tabIndex={focusable ? 0 : -1}
      draggable={draggable || undefined}
      data-index={over ? undefined : index}
      data-over={over}
      data-drop={props.drop}
      data-tile={size && (start ? '' : 'moves')}
      data-joins-before={props.joinsBefore || undefined}
      data-joins-after={props.joinsAfter || undefined}
      style={{
        transform: shift === undefined ? `translateY(${top}px)` : `translate(calc(${shift}px*var(--forward)),${top}px)`,
        blockSize: height,
        insetInlineStart: start,
        inlineSize: size,
      }}
    >
      {props.renderCells(index, selected)}
    </div>
  )
})
