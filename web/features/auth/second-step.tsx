import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, apiText } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { beginSession } from '../../lib/token.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { commonText } from './failure.ts'
import styles from './login.module.css'

export interface SecondStepProps {
  /** Continues the sign-in (http-api 30). */
  ticket: string
  /** The ticket has ended: the sign-in starts again. */
  onEnded: (reason: string) => void
}

/** Digits of the code of an app. */
const DIGITS = 6

/** Asks for the code of the authenticator app, or for a recovery code, after the password. */
export default function SecondStep({ ticket: first, onEnded }: SecondStepProps) {
  const [recovers, setRecovers] = useState(false)
  const { busy, problem, send } = useCode(first, onEnded)
  const field = useRef<HTMLInputElement>(null)
  const online = useOnline()
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a wrong code, and for the other kind of code.
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [problem, recovers])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send(field.current?.value ?? '')
  }
  const app = { inputMode: 'numeric', autoComplete: 'one-time-code' } as const
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p>{t(recovers ? 'signIn.recoveryText' : 'signIn.codeText')}</p>
      <TextField
        key={String(recovers)}
        ref={field}
        label={t(recovers ? 'signIn.recoveryCode' : 'signIn.code')}
        name="code"
        dir="ltr"
        autoCapitalize="none"
        spellCheck={false}
        {...(recovers ? { autoComplete: 'off' } : app)}
        aria-invalid={problem ? true : undefined}
        onChange={({ target: { value } }) => {
          if (!recovers && value.replace(/\D/g, '').length === DIGITS) void send(value)
        }}
      />
      <p className={styles.error} role="alert">
        {online ? problem : t('auth.noConnection')}
      </p>
      <Button type="submit" kind="primary" busy={busy} disabled={!online}>
        {busy ? t('auth.submitting') : t('auth.submit')}
      </Button>
      <Button kind="quiet" onClick={() => setRecovers(!recovers)}>
        {t(recovers ? 'signIn.useApp' : 'signIn.useRecovery')}
      </Button>
    </form>
  )
}

/** Sends codes with the ticket that counts now. The text of a problem is announced each time. */
function useCode(first: string, onEnded: SecondStepProps['onEnded']) {
  const ticket = useRef(first)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const send = async (code: string) => {
    if (busy || code.trim() === '') return
    setBusy(true)
    setProblem(undefined)
    try {
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify({ ticket: ticket.current, code })
      return beginSession(await apiText('/api/login/factor', { method: 'POST', body, headers, auth: false }))
    } catch (error) {
      const refused = error instanceof ApiError && (error.status === 403 || error.status === 429)
      if (refused && error.ticket === '') return onEnded(t('signIn.codeOver'))
      if (refused) ticket.current = error.ticket
      setProblem(refused && error.status === 403 ? t('signIn.wrongCode') : commonText(error))
    }
    setBusy(false)
  }
  return { busy, problem, send }
}
