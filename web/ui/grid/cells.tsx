import type { ReactNode } from 'react'

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

/** The row above all others; it scrolls with them but stays in sight. */
export function HeaderRow({ className, children }: CellProps) {
  return (
    <div role="row" aria-rowindex={1} className={className}>
      {children}
    </div>
  )
}

/** @param sort for a column that can be sorted by: whether and how it is */
export function HeaderCell({ className, sort, children }: CellProps & { sort?: 'ascending' | 'descending' | 'none' }) {
  return (
    <div role="columnheader" className={className} aria-sort={sort}>
      {children}
    </div>
  )
}
