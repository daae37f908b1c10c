import { t } from '../lib/i18n/index.ts'
import { useOnline } from '../lib/online.ts'
import { Button } from './button.tsx'
import styles from './form-bar.module.css'

export interface FormBarProps {
  /** The button that sends the form. */
  submit: string
  busy: boolean
  /** The way out: throws away what was typed, or leaves. */
  cancel: string
  onCancel: () => void
  /** What the bar says of the form. */
  text?: string
}

/** Stays at the bottom of the window while a form has something to save. */
export function FormBar({ submit, busy, cancel, onCancel, text }: FormBarProps) {
  const online = useOnline()
  return (
    <div className={styles.bar} data-bottom-bar>
      <p className={styles.text} role="status">
        {online ? text : t('auth.noConnection')}
      </p>
      <Button onClick={onCancel}>{cancel}</Button>
      <Button type="submit" kind="primary" busy={busy} disabled={!online}>
        {submit}
      </Button>
    </div>
  )
}
