import type { ReactNode } from 'react'

/** One line of a menu. */
export interface MenuEntry {
  id: string
  label: string
  icon?: ReactNode
  /** Key combination shown at the end. */
  keys?: string
  /** A choice among several: shows a tick when true. */
  checked?: boolean
  disabled?: boolean
  danger?: boolean
  /** A hairline above this entry. */
  separated?: boolean
  run: () => void
}
