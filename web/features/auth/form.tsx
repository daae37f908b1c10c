import { type FormEvent, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { api } from '../../lib/api.ts'
import { pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { lazySignIn } from '../../lib/lazy.ts'
import { useOnline } from '../../lib/online.ts'
import { login } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Captcha, type CaptchaHandle } from './captcha.tsx'
import { type Failure, loginFailure, type SecondStepDue, secondStepIn, signUpFailure } from './failure.ts'
import styles from './login.module.css'

const Problem = lazySignIn(() => import('./problem.tsx'))

export interface CredentialsFormProps {
  /** Signs up first. */
  isNew: boolean
  /** The account exists; any failure from now on is one of the sign-in. */
  onSignedUp: () => void
  /** The password is right, and a second factor is due. */
  onSecondStep: (due: SecondStepDue) => void
}

/** Name and password, entered twice for sign-up. Switching the mode keeps the fields, so that no input is lost. */
export function CredentialsForm({ isNew, onSignedUp, onSecondStep }: CredentialsFormProps) {
  const online = useOnline()
  const fields = useFields()
  const { captcha, busy, failure, submit } = useSubmit({ isNew, onSignedUp, onSecondStep }, fields)
  const marked = (name: Failure['field']) => (failure?.text && failure.field === name ? true : undefined)
  const label = isNew ? t('auth.signUp') : t('auth.submit')
  return (
    <form className={styles.form} noValidate onSubmit={event => void submit(event, online)}>
      <TextField
        ref={fields.username}
        label={t('auth.username')}
        name="username"
        autoComplete={pageConfig.Passkeys ? 'username webauthn' : 'username'}
        autoCapitalize="none"
        spellCheck={false}
        error={failure?.field === 'username' ? failure.problem : undefined}
        aria-invalid={marked('username')}
      />
      <NewPasswordField
        isNew={isNew}
        ref={fields.password}
        label={t('auth.password')}
        name="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        error={failure?.field === 'password' ? failure.problem : undefined}
        aria-invalid={marked('password')}
      />
      <div hidden={!isNew}>
        <PasswordField
          ref={fields.again}
          label={t('auth.passwordAgain')}
          name="again"
          autoComplete="new-password"
          aria-invalid={marked('again')}
        />
      </div>
      {pageConfig.ReCaptcha && <Captcha ref={captcha} />}
      <p className={styles.error} role="alert">
        {online ? failure?.text : t('auth.noConnection')}
        {online && failure?.refusal && (
          <Suspense fallback={null}>
            <Problem {...failure.refusal} />
          </Suspense>
        )}
      </p>
      <Button type="submit" kind="primary" busy={busy} disabled={!online}>
        {busy ? t('auth.submitting') : label}
      </Button>
    </form>
  )
}

type Fields = Record<Failure['field'], RefObject<HTMLInputElement | null>>

function useFields(): Fields {
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  useEffect(() => username.current?.focus(), [])
  return { username, password, again }
}

function useSubmit({ isNew, onSignedUp, onSecondStep }: CredentialsFormProps, fields: Fields) {
  const captcha = useRef<CaptchaHandle>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  // The error of one mode does not apply to the other.
  const [judged, setJudged] = useState(isNew)
  if (judged !== isNew) {
    setJudged(isNew)
    if (!busy) setFailure(undefined)
  }
  const fail = (found: Failure) => {
    setFailure(found)
    setBusy(false)
    captcha.current?.reset()
    fields[found.field].current?.focus()
    fields[found.field].current?.select()
  }
  const submit = async (event: FormEvent<HTMLFormElement>, online: boolean) => {
    event.preventDefault()
    if (busy || !online) return
    const data = new FormData(event.currentTarget)
    const [username = '', password = '', again = ''] = ['username', 'password', 'again'].map(name =>
      String(data.get(name) ?? ''),
    )
    const answer = captcha.current?.answer() ?? ''
    const wrong = problemBefore({ isNew, password, again, answer })
    if (wrong) return fail(wrong)
    setBusy(true)
    setFailure(undefined)
    if (isNew) {
      const refused = await signUp(username, password).then(onSignedUp, signUpFailure)
      if (refused) return fail(refused)
    }
    const refused = await login(username, password, answer).catch((error: unknown) => {
      const due = secondStepIn(error)
      return due ? onSecondStep(due) : loginFailure(error, username)
    })
    if (refused) fail(refused)
  }
  return { captcha, busy, failure, submit }
}

/** Errors that need no request. */
function problemBefore(form: { isNew: boolean; password: string; again: string; answer: string }): Failure | undefined {
  if (form.isNew && form.password !== form.again) return { field: 'again', text: t('auth.passwordsDiffer') }
  if (pageConfig.ReCaptcha && form.answer === '') return { field: 'password', text: t('auth.wrongCredentials') }
  return undefined
}

/**
 * `POST /api/signup` (http-api 2.3). Creates no session: the new user signs in afterwards. @throws ApiError 409, 400,
 * 405
 */
async function signUp(username: string, password: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  await api('/api/signup', { method: 'POST', body: JSON.stringify({ username, password }), headers, auth: false })
}
