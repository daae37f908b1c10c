import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { instanceName } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { login } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import styles from './login.module.css'

/**
 * The login screen (specification section 2). Where to go afterwards is decided by the application's guard.
 * @param expired whether the visitor was logged out by the server
 */
export default function LoginScreen({ expired }: { expired: boolean }) {
  return (
    <main className={styles.screen}>
      <div className={styles.card}>
        <h1 className={styles.name}>{instanceName}</h1>
        {expired && (
          <p className={styles.reason} role="status">
            {t('auth.expired')}
          </p>
        )}
        <LoginForm />
      </div>
    </main>
  )
}

function LoginForm() {
  const online = useOnline()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  useEffect(() => username.current?.focus(), [])

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy || !online) return
    const data = new FormData(event.currentTarget)
    const name = String(data.get('username') ?? '')
    setBusy(true)
    setError('')
    try {
      await login(name, String(data.get('password') ?? ''))
    } catch (failure) {
      setError(failureText(failure))
      setBusy(false)
      const first = name === '' ? username : password
      first.current?.focus()
      first.current?.select()
    }
  }

  return (
    <form className={styles.form} onSubmit={event => void submit(event)}>
      <TextField
        ref={username}
        label={t('auth.username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
      />
      <PasswordField
        ref={password}
        label={t('auth.password')}
        name="password"
        autoComplete="current-password"
        aria-invalid={error ? true : undefined}
      />
      <p className={styles.error} role="alert">
        {online ? error : t('auth.noConnection')}
      </p>
      <Button type="submit" kind="primary" busy={busy} disabled={!online}>
        {busy ? t('auth.submitting') : t('auth.submit')}
      </Button>
    </form>
  )
}

/** What went wrong with a login, in a sentence (specification section 8). */
function failureText(failure: unknown): string {
  if (!(failure instanceof ApiError)) return t('errors.internal')
  if (failure.status === 0) return t('auth.noConnection')
  if (failure.status === 429) return t('auth.tooManyAttempts', { seconds: failure.retryAfter ?? 60 })
  if (failure.status >= 500) return t('errors.internal')
  return t('auth.wrongCredentials')
}
