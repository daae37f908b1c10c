/** A cell position, both from 0. */
export interface Cell {
  row: number
  column: number
}

/** The dimensions of a table for keyboard navigation. */
export interface Extent {
  rows: number
  columns: number
  /** Rows in view. */
  page: number
  /** Whether columns run right to left. */
  rtl: boolean
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The target cell of a key (ARIA Authoring Practices, grid); `undefined` for any other key. */
export function stepFrom({ row, column }: Cell, { key, ctrlKey, metaKey, altKey, shiftKey }: Key, extent: Extent) {
  if (altKey || shiftKey) return undefined
  const last: Cell = { row: extent.rows - 1, column: extent.columns - 1 }
  const far = ctrlKey || metaKey
  const forward = extent.rtl ? 'ArrowLeft' : 'ArrowRight'
  switch (key) {
    case 'ArrowDown':
      return { row: far ? last.row : Math.min(last.row, row + 1), column }
    case 'ArrowUp':
      return { row: far ? 0 : Math.max(0, row - 1), column }
    case 'ArrowLeft':
    case 'ArrowRight':
      if (key === forward) return { row, column: far ? last.column : Math.min(last.column, column + 1) }
      return { row, column: far ? 0 : Math.max(0, column - 1) }
    case 'Home':
      return { row: far ? 0 : row, column: 0 }
    case 'End':
      return { row: far ? last.row : row, column: last.column }
    case 'PageDown':
      return { row: Math.min(last.row, row + extent.page), column }
    case 'PageUp':
      return { row: Math.max(0, row - extent.page), column }
    default:
      return undefined
  }
}
