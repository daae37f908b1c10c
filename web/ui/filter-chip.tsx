import { type MouseEvent, useId } from 'react'
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
  const hintId = useId()
  return (
    <button
      type="button"
      className={styles.chip}
      aria-pressed={pressed}
      aria-describedby={hint && hintId}
      data-tip={hint}
      onClick={onClick}
    >
      {label}
      {hint && (
        <span id={hintId} hidden>
          {hint}
        </span>
      )}
    </button>
  )
}
