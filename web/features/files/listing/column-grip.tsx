import type { PointerEvent } from 'react'
import styles from './cells.module.css'
import { currentColumns, type ExtraColumn, setColumns, withWidth } from './columns.ts'

/** The edge of a column: the pointer resizes it there, a double click resets it. The keyboard has a dialog for that. */
export default function ColumnGrip({ column }: { column: ExtraColumn }) {
  return (
    <hr
      className={styles.grip}
      onPointerDown={event => resize(column, event)}
      onDoubleClick={() => setColumns(withWidth(currentColumns(), column, undefined))}
    />
  )
}

function resize(column: ExtraColumn, event: PointerEvent<HTMLElement>): void {
  const { currentTarget: grip, pointerId, clientX } = event
  // A press on the header must not start a rubber band.
  event.stopPropagation()
  event.preventDefault()
  const columns = currentColumns()
  const width = grip.parentElement?.offsetWidth ?? 0
  const direction = getComputedStyle(grip).direction === 'rtl' ? 1 : -1
  grip.setPointerCapture(pointerId)
  grip.onpointermove = move => setColumns(withWidth(columns, column, width + (move.clientX - clientX) * direction))
  grip.onlostpointercapture = () => {
    grip.onpointermove = null
  }
}
