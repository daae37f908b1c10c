import type { MouseEvent } from 'react'
import styles from './filter-chip.module.css'

interface FilterChipProps {
  label: string
  pressed: boolean
  onClick: (event: MouseEvent) => void
}

/** One choice of a filter, on or off. */
export function FilterChip({ label, pressed, onClick }: FilterChipProps) {
  return (
    <button type="button" className={styles.chip} aria-pressed={pressed} onClick={onClick}>
      {label}
    </button>
  )
}
