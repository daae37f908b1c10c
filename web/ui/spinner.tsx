import { SlowNotice } from './slow-notice.tsx'
import styles from './spinner.module.css'

interface SpinnerProps {
  label: string
  /** Repeats the request; offered when it takes long. */
  onRetry?: () => void
}

/** An indeterminate bar with a name for screen readers. */
export function Spinner({ label, onRetry }: SpinnerProps) {
  return (
    <div className={styles.spinner}>
      <div role="status">
        <span className={styles.bar} aria-hidden="true" />
        <span className="visually-hidden">{label}</span>
      </div>
      {onRetry && <SlowNotice onRetry={onRetry} />}
    </div>
  )
}
