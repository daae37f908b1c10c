import { type FormEvent, useRef, useState } from 'react'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { lazySignIn } from '../../lib/lazy.ts'
import { notify } from '../../lib/notices.ts'
import { useOnline } from '../../lib/online.ts'
import { refusalOf } from '../../lib/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CurrentPassword, useConfirmation } from '../../ui/current-password.tsx'
import styles from '../../ui/form.module.css'
import { Check, X } from '../../ui/icons.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { reloadFactors } from './api/factors.ts'
import { updatePassword } from './api/profile.ts'
import { useUnsavedGuard } from './draft.ts'

const PasswordAge = lazySignIn(() => import('./factors/password-age.tsx'))

/** State of both fields. Nothing is sent unless they are equal and not empty. */
function usePasswordChange(userId: number) {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)
  const confirmation = useConfirmation()

  const save = async () => {
    try {
      await updatePassword(userId, password, confirmation.password)
      void reloadFactors()
      setPassword('')
      setAgain('')
      notify('success', t('settings.passwordUpdated'))
      first.current?.focus()
    } catch (error) {
      if (confirmation.takes(error)) return
      const refusal = refusalOf(error)
      if (refusal?.field !== 'password') return void notify('error', errorText(error))
      setProblem(refusal.problem)
      first.current?.focus()
    }
  }
  const submit = async () => {
    if (busy) return
    if (password === '') return first.current?.focus()
    if (password !== again) return second.current?.focus()
    setBusy(true)
    await save()
    setBusy(false)
  }
  const change = (set: (value: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value)
    setProblem(undefined)
  }
  return {
    first: { ref: first, value: password, error: problem, onChange: change(setPassword) },
    second: { ref: second, value: again, onChange: change(setAgain) },
    busy,
    confirmation,
    submit,
  }
}

/** A new password, entered twice. */
export function PasswordCard({ userId, username }: { userId: number; username: string }) {
  const { first, second, busy, confirmation, submit } = usePasswordChange(userId)
  const online = useOnline()
  const isEmpty = first.value === '' && second.value === ''
  const match = isEmpty ? undefined : first.value === second.value ? 'yes' : 'no'
  const shared = { autoComplete: 'new-password', 'data-match': match }
  useUnsavedGuard(!isEmpty)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit()
  }
  return (
    <form onSubmit={onSubmit} noValidate>
      <Card
        title={t('settings.changePassword')}
        footer={
          <Button type="submit" kind="primary" busy={busy} disabled={!online}>
            {t('fields.update')}
          </Button>
        }
      >
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <LazyBoundary>
          <PasswordAge />
        </LazyBoundary>
        <div className={styles.pair}>
          <NewPasswordField {...first} {...shared} label={t('settings.newPassword')} />
          <PasswordField {...second} {...shared} label={t('settings.newPasswordAgain')} />
        </div>
        <Match match={match} />
        <CurrentPassword confirmation={confirmation} />
      </Card>
    </form>
  )
}

/** Whether both are equal: icon, word and colour. */
function Match({ match }: { match: 'yes' | 'no' | undefined }) {
  return (
    <p className={styles.match} data-match={match} role="status">
      {match === 'yes' && <Check size={16} aria-hidden />}
      {match === 'no' && <X size={16} aria-hidden />}
      {match && t(match === 'yes' ? 'fields.passwordsMatch' : 'auth.passwordsDiffer')}
    </p>
  )
}
