import { Suspense, useCallback, useState } from 'react'
import { instanceName, pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { lazyMail, lazySignIn } from '../../lib/lazy.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { Button } from '../../ui/button.tsx'
import type { SecondStepDue } from './failure.ts'
import { CredentialsForm } from './form.tsx'
import styles from './login.module.css'
import { HANDOVER } from './provider-address.ts'

const Providers = lazySignIn(() => import('./providers.tsx'))
const SecondStep = lazySignIn(() => import('./second-step.tsx'))
const Forgotten = lazyMail(() => import('./forgotten.tsx'))
const MailLink = lazyMail(() => import('./mail-link.tsx'))

export interface LoginScreenProps {
  /** Whether the server ended the session. */
  expired: boolean
  /** Whether to start with sign-up. */
  signUp: boolean
  /** Whether a link of a mail led here. */
  link: boolean
}

const hasProviders = pageConfig.Providers.length > 0 || pageConfig.Passkeys

/** The sign-in page, with sign-up where it is allowed. The application's guard decides where to go afterwards. */
export default function LoginScreen({ expired, signUp, link }: LoginScreenProps) {
  const [isNew, setNew] = useState(signUp)
  const [returning, setReturning] = useState(() => hasProviders && location.hash.startsWith(HANDOVER))
  const refused = useCallback(() => setReturning(false), [])
  const [due, setDue] = useState<SecondStepDue>()
  const [problem, setProblem] = useState('')
  const startAgain = (reason: string) => {
    setDue(undefined)
    setReturning(false)
    setProblem(reason)
  }
  const [pictured, setPictured] = useState(pageConfig.LoginPicture !== '')
  const [isForgotten, setForgotten] = useState(false)
  const [isOpened, setOpened] = useState(pageConfig.PasswordLogin === 'everybody')
  const isAsking = isOpened && !due && !returning && !isForgotten && !link
  return (
    <main className={styles.screen} data-pictured={pictured || undefined}>
      {pictured && (
        <img
          className={styles.picture}
          src={pageConfig.LoginPicture}
          alt=""
          fetchPriority="high"
          onError={() => setPictured(false)}
        />
      )}
      <div className={styles.card}>
        <div className={styles.brand}>
          <BrandMark size={48} />
          <h1 className={styles.name}>{instanceName}</h1>
        </div>
        {expired && (
          <p className={styles.reason} role="status">
            {t('auth.expired')}
          </p>
        )}
        {due && (
          <Suspense fallback={null}>
            <SecondStep due={due} onEnded={startAgain} />
          </Suspense>
        )}
        {link && (
          <Suspense fallback={null}>
            <MailLink />
          </Suspense>
        )}
        {hasProviders && !due && !isForgotten && !link && (
          <Suspense fallback={null}>
            <Providers
              returning={returning}
              onRefused={refused}
              onSecondStep={setDue}
              onPassword={isOpened ? undefined : () => setOpened(true)}
            />
          </Suspense>
        )}
        {problem !== '' && !due && (
          <p className={styles.error} role="alert">
            {problem}
          </p>
        )}
        {isAsking && <CredentialsForm isNew={isNew} onSignedUp={() => setNew(false)} onSecondStep={setDue} />}
        {pageConfig.Mail && !isNew && (isAsking || isForgotten) && (
          <Suspense fallback={null}>
            <Forgotten isOpen={isForgotten} onToggle={() => setForgotten(!isForgotten)} />
          </Suspense>
        )}
        {pageConfig.Signup && isAsking && (
          <p className={styles.toggle}>
            {t(isNew ? 'auth.haveAccount' : 'auth.noAccount')}
            <Button kind="quiet" onClick={() => setNew(!isNew)}>
              {t(isNew ? 'auth.submit' : 'auth.signUp')}
            </Button>
          </p>
        )}
      </div>
    </main>
  )
}
