import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Enrolled, EnrolTotp } from '../../../shared/api/enrolment.ts'
import { deviceName } from '../../../shared/device-name.ts'
import { ApiError } from '../../lib/api.ts'
import { copyText } from '../../lib/clipboard.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { passkeysWork } from '../../lib/passkeys.ts'
import { beginSession } from '../../lib/token.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import styles from './enrolment.module.css'
import { commonText, type SecondStepDue } from './failure.ts'
import login from './login.module.css'
import { confirmApp, enrolApp, enrolPasskey } from './passkey.ts'

interface EnrolmentProps {
  due: SecondStepDue
  /** The ticket has ended: the sign-in starts again. */
  onEnded: (reason: string) => void
}

/** Sets up a second factor that is required, before the session starts (http-api 34). */
export function Enrolment({ due, onEnded }: EnrolmentProps) {
  const [totp, setTotp] = useState<EnrolTotp>()
  const [done, setDone] = useState<Enrolled>()
  const { busy, problem, ticket, run } = useTicket(due.ticket, onEnded)
  const online = useOnline()
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  if (done) return <Codes enrolled={done} />
  const chooseApp = async () => {
    const begun = await enrolApp(ticket.current)
    ticket.current = begun.ticket
    setTotp(begun)
  }
  const choosePasskey = async () => {
    const label = deviceName(navigator.userAgent).slice(0, 64) || t('passkeys.title')
    const keep = (next: string) => {
      ticket.current = next
    }
    setDone(await enrolPasskey(ticket.current, label, keep))
  }
  const confirm = async (code: string) => setDone(await confirmApp(ticket.current, code))
  return (
    <div className={login.form}>
      <p>{t('signIn.enrolText')}</p>
      {totp && <FirstCode totp={totp} busy={busy} problem={problem} onCode={code => void run(() => confirm(code))} />}
      {!totp && (
        <p className={login.error} role="alert">
          {online ? problem : t('auth.noConnection')}
        </p>
      )}
      {!totp && (
        <Button ref={first} kind="primary" busy={busy} disabled={!online} onClick={() => void run(chooseApp)}>
          {t('factors.setUp')}
        </Button>
      )}
      {passkeysWork() && (
        <Button disabled={!online || busy} onClick={() => void run(choosePasskey)}>
          {t('passkeys.add')}
        </Button>
      )}
    </div>
  )
}

/** Runs steps with the ticket that counts now. */
function useTicket(first: string, onEnded: EnrolmentProps['onEnded']) {
  const ticket = useRef(first)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const run = async (act: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setProblem('')
    await act().catch((error: unknown) => {
      if (!(error instanceof ApiError)) return setProblem(t('passkeys.failed'))
      if (error.status === 403) return onEnded(t('signIn.codeOver'))
      if (error.ticket !== '') ticket.current = error.ticket
      setProblem(error.status === 400 ? t('signIn.enrolFailed') : commonText(error))
    })
    setBusy(false)
  }
  return { busy, problem, ticket, run }
}

interface FirstCodeProps {
  totp: EnrolTotp
  busy: boolean
  problem: string
  onCode: (code: string) => void
}

function FirstCode({ totp, busy, problem, onCode }: FirstCodeProps) {
  const field = useRef<HTMLInputElement>(null)
  const online = useOnline()
  // After a wrong code as well.
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [problem])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onCode(field.current?.value ?? '')
  }
  return (
    <form className={login.form} noValidate onSubmit={submit}>
      <p>{t('factors.scan')}</p>
      <QrCode text={totp.address} label={t('factors.qr')} />
      <p className={styles.facts}>
        {t('factors.key')}
        <code className={styles.key} dir="ltr" translate="no">
          {totp.secret.replace(/.{4}(?=.)/g, '$& ')}
        </code>
        <a href={totp.address}>{t('factors.openApp')}</a>
      </p>
      <TextField
        ref={field}
        label={t('factors.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        dir="ltr"
        aria-invalid={problem !== '' || undefined}
      />
      <p className={login.error} role="alert">
        {online ? problem : t('auth.noConnection')}
      </p>
      <Button type="submit" kind="primary" busy={busy} disabled={!online}>
        {t('factors.turnOn')}
      </Button>
    </form>
  )
}

/** Recovery codes, which no other page shows; the session starts once the user has kept them. */
function Codes({ enrolled: { token, codes } }: { enrolled: Enrolled }) {
  const title = useRef<HTMLHeadingElement>(null)
  const [copied, setCopied] = useState('')
  useEffect(() => title.current?.focus(), [])
  const onCopy = async () => {
    setCopied((await copyText(codes.join('\n'))) ? t('factors.copied') : t('factors.copyByHand'))
  }
  return (
    <div className={login.form}>
      <h2 ref={title} className={styles.title} tabIndex={-1}>
        {t('factors.codesTitle')}
      </h2>
      <p>{t('factors.codesText')}</p>
      <ul className={styles.codes} dir="ltr" translate="no">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p role="status">{copied}</p>
      <Button onClick={() => void onCopy()}>{t('factors.copy')}</Button>
      <Button kind="primary" onClick={() => beginSession(token)}>
        {t('factors.kept')}
      </Button>
    </div>
  )
}
