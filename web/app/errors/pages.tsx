import type { ReactNode } from 'react'
import { ChunkError } from '../../lib/chunk.ts'
import { errorDetail, errorText, statusText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { HOME_URL, Link } from '../../lib/router.tsx'
import buttons from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'

interface FailurePageProps {
  error: unknown
  onRetry: () => void
  /** Further actions. */
  children?: ReactNode
}

/** Shown when a screen's data, or its chunk, failed to load. */
export function FailurePage({ error, onRetry, children }: FailurePageProps) {
  const gone = !useOnline() && error instanceof ChunkError
  return (
    <ErrorState
      level={1}
      text={gone ? statusText(0) : errorText(error)}
      detail={gone ? errorText(error) : errorDetail(error)}
    >
      <Button kind="primary" onClick={onRetry}>
        {t('common.retry')}
      </Button>
      <HomeLink />
      {children}
    </ErrorState>
  )
}

export function HomeLink() {
  return (
    <Link to={HOME_URL} className={`${buttons.button} ${buttons.plain}`}>
      {t('common.goHome')}
    </Link>
  )
}
