import { type SubmitEvent, useEffect, useRef } from 'react'
import { formatNumber } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import styles from './pdf.module.css'

interface PageFieldProps {
  /** From 1. */
  page: number
  count: number
  onGoTo(page: number): void
}

/** The number of the current page, editable. */
export function PageField({ page, count, onGoTo }: PageFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Keeps the input while it is being edited.
    if (field.current && field.current !== document.activeElement) field.current.value = String(page)
  }, [page])
  const go = (event: SubmitEvent) => {
    event.preventDefault()
    const wanted = Number.parseInt(field.current?.value ?? '', 10)
    if (wanted >= 1) onGoTo(Math.min(count, wanted))
  }
  return (
    <form className={styles.field} onSubmit={go}>
      <label className={styles.field}>
        <span className={styles.label}>{t('preview.page')}</span>
        <input
          ref={field}
          type="text"
          inputMode="numeric"
          className={styles.number}
          defaultValue={page}
          autoComplete="off"
          onBlur={({ target }) => {
            target.value = String(page)
          }}
        />
      </label>
      <span className={styles.count}>{`/ ${formatNumber(count)}`}</span>
    </form>
  )
}
