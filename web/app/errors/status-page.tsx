import { pageConfig } from '../../lib/config.ts'
import { statusText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { Link } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import buttons from '../../ui/button.module.css'
import { ErrorState } from '../../ui/error-state.tsx'
import { HomeLink } from './pages.tsx'

/** The page of a status that has an address of its own: `/403`, `/404`, `/500`. */
export default function StatusPage({ status }: { status: number }) {
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
