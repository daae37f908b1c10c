import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { ApiError, apiText } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { passkeysWork } from '../../lib/passkeys.ts'
import { beginSession } from '../../lib/token.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import { Enrolment } from './enrolment.tsx'
import { commonText, type SecondStepDue } from './failure.ts'
import styles from './login.module.css'
import { continueWithPasskey } from './passkey.ts'
import { passkeyProblem } from './passkey-problem.ts'

export interface SecondStepProps {
  due: SecondStepDue
  /** The ticket has ended: the sign-in starts again. */
  onEnded: (reason: string) => void
}

/** What a user continues with. */
type Kind = 'totp' | 'passkey' | 'recovery'

/** Digits of the code of an app. */
const DIGITS = 6

const USE = { totp: 'signIn.useApp', passkey: 'signIn.usePasskey', recovery: 'signIn.useRecovery' } as const
const TEXTS = {
  totp: 'signIn.codeText',
  passkey: 'signIn.passkeyText',
  recovery: 'signIn.recoveryText',
} as const

/** What follows the password: a second factor, or its enrolment. */
export default function SecondStep(props: SecondStepProps) {
  return props.due.code === 'second_factor_setup' ? <Enrolment {...props} /> : <Answer {...props} />
}

/** Asks for the code of the authenticator app, a passkey, or a recovery code. */
function Answer({ due, onEnded }: SecondStepProps) {
  const kinds = kindsOf(due)
  const [kind, setKind] = useState<Kind>(kinds[0] ?? 'recovery')
  const [remember, setRemember] = useState(false)
  const { busy, problem, send, continueByPasskey } = useAnswer(due.ticket, { remember, onEnded })
  const field = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const online = useOnline()
  // After a wrong code, and for another kind of answer.
  useEffect(() => {
    field.current?.select()
    ;(field.current ?? button.current)?.focus()
  }, [problem, kind])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void (kind === 'passkey' ? continueByPasskey() : send(field.current?.value ?? ''))
  }
  const submitText = kind === 'passkey' ? t('signIn.usePasskey') : t('auth.submit')
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p>{t(TEXTS[kind])}</p>
      {kind !== 'passkey' && (
        <CodeField
          key={kind}
          field={field}
          kind={kind}
          wrong={problem !== undefined}
          onFull={code => void send(code)}
        />
      )}
      {kind !== 'recovery' && <Checkbox label={t('signIn.remember')} checked={remember} onChange={setRemember} />}
      <p className={styles.error} role="alert">
        {online ? problem : t('auth.noConnection')}
      </p>
      <Button type="submit" kind="primary" busy={busy} disabled={!online} ref={button}>
        {busy ? t('auth.submitting') : submitText}
      </Button>
      {kinds
        .filter(other => other !== kind)
        .map(other => (
          <Button key={other} kind="quiet" onClick={() => setKind(other)}>
            {t(USE[other])}
          </Button>
        ))}
    </form>
  )
}

interface CodeFieldProps {
  field: RefObject<HTMLInputElement | null>
  kind: 'totp' | 'recovery'
  wrong: boolean
  /** A code of the app is complete. */
  onFull: (code: string) => void
}

function CodeField({ field, kind, wrong, onFull }: CodeFieldProps) {
  const app = { inputMode: 'numeric', autoComplete: 'one-time-code' } as const
  return (
    <TextField
      ref={field}
      label={t(kind === 'recovery' ? 'signIn.recoveryCode' : 'signIn.code')}
      name="code"
      dir="ltr"
      autoCapitalize="none"
      spellCheck={false}
      {...(kind === 'recovery' ? { autoComplete: 'off' } : app)}
      aria-invalid={wrong || undefined}
      onChange={({ target: { value } }) => {
        if (kind === 'totp' && value.replace(/\D/g, '').length === DIGITS) onFull(value)
      }}
    />
  )
}

/** What may follow, the quickest first. */
function kindsOf({ factors }: SecondStepDue): Kind[] {
  const offered = factors.split(', ')
  const kinds: Kind[] = []
  if (offered.includes('totp')) kinds.push('totp')
  if (offered.includes('passkey') && passkeysWork()) kinds.push('passkey')
  return [...kinds, 'recovery']
}

/** Sends answers with the ticket that counts now. The text of a problem is announced each time. */
function useAnswer(first: string, { remember, onEnded }: Pick<SecondStepProps, 'onEnded'> & { remember: boolean }) {
  const ticket = useRef(first)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const run = async (answer: () => Promise<string>, problemOf: (error: unknown) => string) => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      return beginSession(await answer())
    } catch (error) {
      const refused = error instanceof ApiError && (error.status === 403 || error.status === 429)
      if (refused && error.ticket === '') return onEnded(t('signIn.codeOver'))
      if (refused) ticket.current = error.ticket
      setProblem(problemOf(error))
    }
    setBusy(false)
  }
  const send = async (code: string) => {
    if (code.trim() !== '') await run(() => sendCode({ ticket: ticket.current, code, remember }), codeProblem)
  }
  const continueByPasskey = () =>
    run(
      () =>
        continueWithPasskey({ ticket: ticket.current, remember }, next => {
          ticket.current = next
        }),
      passkeyProblem,
    )
  return { busy, problem, send, continueByPasskey }
}

const codeProblem = (error: unknown) =>
  error instanceof ApiError && error.status === 403 ? t('signIn.wrongCode') : commonText(error)

function sendCode(answer: { ticket: string; code: string; remember: boolean }): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify(answer)
  return apiText('/api/login/factor', { method: 'POST', body, headers, auth: false })
}
