import type { ReactNode } from 'react'
import { ChunkError } from '../../lib/chunk.ts'
import { pageConfig } from '../../lib/config.ts'
import { errorDetail, errorText, statusText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { HOME_URL, Link } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import buttons from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'

/** The page of a status that has an address of its own: `/403`, `/404`, `/500`. */
export function StatusPage({ status }: { status: number }) {
  return (
    <ErrorState level={1} text={statusText(status)} detail={String(status)}>
      <HomeLink />
      <VisitorLinks />
    </ErrorState>
  )
}

/** Entry points for visitors without a session, as far as the instance offers them. */
function VisitorLinks() {
  const { user } = useSession()
  if (user || !pageConfig.LoginPage) return null
  return (
    <>
      {!pageConfig.HideLoginButton && (
        <Link to="/login" className={`${buttons.button} ${buttons.plain}`}>
          {t('auth.submit')}
        </Link>
      )}
      {pageConfig.Signup && (
        <Link to="/login?signup" className={`${buttons.button} ${buttons.plain}`}>
          {t('auth.signUp')}
        </Link>
      )}
    </>
  )
}

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

function HomeLink() {
  return (
    <Link to={HOME_URL} className={`${buttons.button} ${buttons.plain}`}>
      {t('common.goHome')}
    </Link>
  )
}
