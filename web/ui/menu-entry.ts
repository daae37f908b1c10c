import type { ReactNode } from 'react'

/** One line of a menu. */
export interface MenuEntry {
  id: string
  label: string
  /** BCP 47 tag of the label's language, if it is another than the page's. */
  lang?: string
  icon?: ReactNode
  /** Key combination shown at the end. */
  keys?: string
  /** A choice of which exactly one counts: set for all of them, which stand together, true for that one. */
  checked?: boolean
  disabled?: boolean
  danger?: boolean
  /** A hairline above this entry. */
  separated?: boolean
  /** Opens a menu of these at its side. */
  entries?: readonly MenuEntry[]
  /** Left out where `entries` open instead. */
  run?: () => void
}
