import type { ReactNode } from 'react'
import { errorDetail, errorText } from '../lib/error-text.ts'
import { t } from '../lib/i18n/index.ts'
import { Button } from './button.tsx'
import { ErrorState } from './error-state.tsx'

interface LoadFailureProps {
  error: unknown
  onRetry: () => void
  /** Further actions. */
  children?: ReactNode
}

/** Shown when the data of a page fails to load: the error text, the status and a retry button. */
export function LoadFailure({ error, onRetry, children }: LoadFailureProps) {
  return (
    <ErrorState text={errorText(error)} detail={errorDetail(error)}>
      <Button kind="primary" onClick={onRetry}>
        {t('common.retry')}
      </Button>
      {children}
    </ErrorState>
  )
}
