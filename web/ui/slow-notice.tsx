import { useEffect, useState } from 'react'
import { t } from '../lib/i18n/index.ts'
import { Button } from './button.tsx'
import styles from './slow-notice.module.css'

/** Milliseconds without an answer after which somebody who waits is told so. */
const LATE = 10_000

/** Says after a while that there is no answer yet, and offers to ask again. Shows nothing until then. */
export function Late({ onRetry }: { onRetry: () => void }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (late) return
    const timer = setTimeout(() => setLate(true), LATE)
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
