import { useEffect, useRef } from 'react'
import { t } from '../lib/i18n/index.ts'
import type { Problems } from '../lib/refusal.ts'
import styles from './error-summary.module.css'

export interface ErrorSummaryProps {
  problems: Problems
  /** Display name of a field. */
  nameOf: (field: string) => string
}

/** The errors of a long form, above it. Takes the focus; each line leads to its field (`data-field`). */
export function ErrorSummary({ problems, nameOf }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null)
  const lines = Object.entries(problems)
  useEffect(() => {
    if (Object.keys(problems).length > 0) box.current?.focus()
  }, [problems])
  if (lines.length === 0) return null
  return (
    <div ref={box} className={styles.box} role="alert" tabIndex={-1}>
      <h2 className={styles.title}>{t('fields.summary', { count: lines.length })}</h2>
      <ul className={styles.list}>
        {lines.map(([field, problem]) => (
          <li key={field}>
            <button type="button" className={styles.link} onClick={() => focusField(field)}>
              {nameOf(field)}
            </button>
            {` – ${problem}`}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Focuses the control with this field name, or inside the element that has it. */
export function focusField(field: string): void {
  const marked = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`)
  const control = marked?.matches('input, select, textarea') ? marked : marked?.querySelector<HTMLElement>('input')
  control?.focus()
}
