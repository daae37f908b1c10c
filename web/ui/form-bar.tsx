import { t } from '../lib/i18n/index.ts'
import { useOnline } from '../lib/online.ts'
import { Button } from './button.tsx'
import styles from './form-bar.module.css'

export interface FormBarProps {
  /** The submit button. */
  submit: string
  busy: boolean
  /** The secondary button: discards the input, or leaves. */
  cancel: string
  onCancel: () => void
  /** Status text of the form. */
  text?: string
}

/** A bar at the bottom of the window while a form has unsaved changes. */
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
