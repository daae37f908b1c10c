import type { ReactNode } from 'react'

/** An entry of a menu. */
export interface MenuEntry {
  id: string
  label: string
  /** BCP 47 tag of the label's language, if it differs from the page's. */
  lang?: string
  icon?: ReactNode
  /** Key combination shown at the end. */
  keys?: string
  /** Radio entry: set for all entries of a group, which are adjacent; true for the active one. */
  checked?: boolean
  /** `checked` is of this entry alone, which switches it on and off. */
  toggles?: true
  disabled?: boolean
  danger?: boolean
  /** A separator above this entry. */
  separated?: boolean
  /** Opens a submenu. */
  entries?: readonly MenuEntry[]
  /** Omitted where `entries` open instead. */
  run?: () => void
}
