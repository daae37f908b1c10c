import type { MouseEvent } from 'react'
import styles from './filter-chip.module.css'

interface FilterChipProps {
  label: string
  pressed: boolean
  /** Explains it, in its tooltip too. */
  hint?: string
  onClick: (event: MouseEvent) => void
}

/** One choice of a filter, on or off. */
export function FilterChip({ label, pressed, hint, onClick }: FilterChipProps) {
  return (
    <button
      type="button"
      className={styles.chip}
      aria-pressed={pressed}
      aria-description={hint}
      data-tip={hint}
      onClick={onClick}
    >
      {label}
    </button>
  )
}
