import { useEffect, useRef, useState } from 'react'
import { apiText } from '../../lib/api.ts'
import { apiUrl, pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { passkeysWork } from '../../lib/passkeys.ts'
import { problemText } from '../../lib/provider-problem.ts'
import { redirectTarget } from '../../lib/route.ts'
import { beginSession, sessionStore } from '../../lib/token.ts'
import buttons from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { type SecondStepDue, secondStepIn } from './failure.ts'
import styles from './login.module.css'
import { PasskeyButton } from './passkey-button.tsx'
import { HANDOVER } from './provider-address.ts'

export interface ProvidersProps {
  /** The page has come back from a provider, with a code for a session. */
  returning: boolean
  /** The code has given no session. */
  onRefused: () => void
  /** A second factor is due. */
  onSecondStep: (due: SecondStepDue) => void
  /** Shows the form for a password; missing where it is shown. */
  onPassword: (() => void) | undefined
}

/** Keys of the query with which the page stays: after a sign-in that failed, after signing out, and for a password. */
const STAYS = ['problem', 'loggedout', 'local', 'signup']
/** When the page last went to a provider at once. */
const LAST = 'filigree.auto-redirect'
/** A session that ends at once must not send the browser back and forth. */
const PAUSE = 30_000

/** Once for each load of the page. */
let isDecided = false

/** A button for each OpenID provider, and why the last sign-in with one failed (http-api 27); one for passkeys. */
export default function Providers({ returning, onRefused, onSecondStep, onPassword }: ProvidersProps) {
  const [problem, setProblem] = useState(problemInAddress)
  useEffect(() => {
    const code = takeCode()
    if (code === '') return
    handOver(code).catch((error: unknown) => {
      const due = secondStepIn(error)
      if (due) return onSecondStep(due)
      setProblem(t('signIn.expired'))
      onRefused()
    })
  }, [onRefused, onSecondStep])
  const [leaving] = useState(automatic)
  useEffect(() => {
    isDecided = true
    if (leaving === undefined) return
    sessionStorage.setItem(LAST, String(Date.now()))
    location.replace(startOf(leaving))
  }, [leaving])
  if (returning || leaving !== undefined) return <p role="status">{t('auth.submitting')}</p>
  return (
    <>
      {problem !== undefined && <ProblemText text={problem} />}
      {isAwayInAddress() && pageConfig.PasswordLogin !== 'everybody' && <p>{t('signIn.awayClosed')}</p>}
      <div className={styles.providers}>
        {pageConfig.Providers.map(({ slug, label }) => (
          <a key={slug} className={`${buttons.button} ${buttons.plain}`} href={startOf(slug)}>
            {t('signIn.with', { provider: label })}
          </a>
        ))}
        {pageConfig.Passkeys && passkeysWork() && <PasskeyButton />}
      </div>
      {onPassword && pageConfig.PasswordLogin === 'admins' && (
        <p className={styles.toggle}>
          <Button kind="quiet" onClick={onPassword}>
            {t('signIn.administrators')}
          </Button>
        </p>
      )}
    </>
  )
}

const startOf = (slug: string): string =>
  apiUrl(`/api/oidc/${slug}/start?redirect=${encodeURIComponent(redirectTarget(location.search))}`)

/** The provider to which the page goes at once. Only reads: React may discard a rendering, and begin it again. */
function automatic(): string | undefined {
  const slug = pageConfig.Providers.find(({ auto }) => auto)?.slug
  const query = new URLSearchParams(location.search)
  const stays = location.hash !== '' || sessionStore.get().reason === 'logout' || STAYS.some(key => query.has(key))
  const isAgain = Date.now() - Number(sessionStorage.getItem(LAST) ?? 0) < PAUSE
  return isDecided || stays || isAgain ? undefined : slug
}

function ProblemText({ text }: { text: string }) {
  const alert = useRef<HTMLParagraphElement>(null)
  useEffect(() => alert.current?.focus(), [])
  return (
    <p ref={alert} className={styles.error} role="alert" tabIndex={-1}>
      {text}
    </p>
  )
}

/** The problem in the address of this page; none for a provider that the host does not name. */
function problemInAddress(): string | undefined {
  const query = new URLSearchParams(location.search)
  const known = pageConfig.Providers.find(({ slug }) => slug === query.get('provider'))
  const problem = query.get('problem')
  return known && problem !== null ? problemText(problem, known.label) : undefined
}

/** Whether a provider could not be reached. */
const isAwayInAddress = (): boolean => new URLSearchParams(location.search).get('problem') === 'away'

/** The code of a completed sign-in, which leaves the address. */
function takeCode(): string {
  if (!location.hash.startsWith(HANDOVER)) return ''
  const code = location.hash.slice(HANDOVER.length)
  history.replaceState(history.state, '', location.pathname + location.search)
  return code
}

/** @throws ApiError 403 for a code that is too old or of another browser */
async function handOver(code: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ code })
  beginSession(await apiText('/api/login/handover', { method: 'POST', body, headers, auth: false }))
}
