import { useEffect, useState } from 'react'
import { t } from '../lib/i18n/index.ts'
import { Button } from './button.tsx'
import styles from './slow-notice.module.css'

/** Milliseconds without a response after which the notice appears. */
const SLOW_AFTER = 10_000

/** A notice after a while without a response, with a retry button. Renders nothing until then. */
export function SlowNotice({ onRetry }: { onRetry: () => void }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (late) return
    const timer = setTimeout(() => setLate(true), SLOW_AFTER)
    return () => clearTimeout(timer)
  }, [late])
  const retry = () => {
    setLate(false)
    onRetry()
  }
  return (
    <div className={styles.late} role="status">
      {late && (
        <>
          <p>{t('common.late')}</p>
          <Button onClick={retry}>{t('common.retry')}</Button>
        </>
      )}
    </div>
  )
}
