import { useState } from 'react'
import { instanceName, pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { Button } from '../../ui/button.tsx'
import { CredentialsForm } from './form.tsx'
import styles from './login.module.css'

export interface LoginScreenProps {
  /** Whether the visitor was logged out by the server. */
  expired: boolean
  /** Whether to begin with making an account. */
  signUp: boolean
}

/**
 * The login screen, and signing up where it is allowed. Where to go afterwards is decided by
 * the application's guard.
 */
export default function LoginScreen({ expired, signUp }: LoginScreenProps) {
  const [isNew, setNew] = useState(signUp)
  return (
    <main className={styles.screen}>
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
        <CredentialsForm isNew={isNew} onSignedUp={() => setNew(false)} />
        {pageConfig.Signup && (
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
