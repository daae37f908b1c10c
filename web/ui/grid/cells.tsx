import type { MouseEvent, ReactNode } from 'react'

interface CellProps {
  className: string | undefined
  children: ReactNode
}

/** One cell of a row. The focus is on rows, and on the controls inside cells. */
export function Cell({ className, children }: CellProps) {
  return (
    <div role="gridcell" className={className}>
      {children}
    </div>
  )
}

/** The sticky header row. @param onMenu opens a menu of its own */
export function HeaderRow({ className, onMenu, children }: CellProps & { onMenu?: (() => void) | undefined }) {
  const onContextMenu = (event: MouseEvent) => {
    if (!onMenu || event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    onMenu()
  }
  return (
    <div role="row" aria-rowindex={1} className={className} onContextMenu={onContextMenu}>
      {children}
    </div>
  )
}

/**
 * @param sort for a sortable column: whether and how it is sorted
 */
export function HeaderCell({ className, sort, children }: CellProps & { sort?: 'ascending' | 'descending' | 'none' }) {
  return (
    <div role="columnheader" className={className} aria-sort={sort}>
      {children}
    </div>
  )
}
