import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from '@simplewebauthn/browser'
import { type FormEvent, useRef, useState } from 'react'
import type { FactorStatus, PresenceProof } from '../../shared/api/factors.ts'
import type { PasskeyOptions } from '../../shared/api/passkeys.ts'
import { ApiError, api, apiJson } from '../lib/api.ts'
import { errorText } from '../lib/error-text.ts'
import { t } from '../lib/i18n/index.ts'
import { passkeysWork } from '../lib/passkeys.ts'
import { useQuery } from '../lib/query.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { PasswordField } from './password-field.tsx'
import styles from './presence.module.css'
import { Spinner } from './spinner.tsx'

const FORM = 'presence'

/** What a user confirms with. */
type Kind = 'passkey' | 'totp' | 'password'

const USE = { passkey: 'signIn.usePasskey', totp: 'signIn.useApp', password: 'signIn.usePassword' } as const

interface PresenceDialogProps {
  onDone: (proven: boolean) => void
}

/** Asks for a passkey, a code of the app or the password, which then counts for a while (http-api 46). */
export default function PresenceDialog({ onDone }: PresenceDialogProps) {
  const { data, error } = useQuery({
    queryKey: ['factors', 'own'],
    queryFn: ({ signal }: { signal: AbortSignal }) => apiJson<FactorStatus>('/api/account/factors', { signal }),
  })
  if (data || error) return <Question kinds={kindsOf(data)} onDone={onDone} />
  return (
    <Dialog title={t('signIn.presence')} onClose={() => onDone(false)}>
      <Spinner label={t('common.loading')} />
    </Dialog>
  )
}

/** The quickest first. */
function kindsOf(status: FactorStatus | undefined): Kind[] {
  const hasPasskey = status !== undefined && status.passkeys.length > 0 && passkeysWork()
  return [...(hasPasskey ? (['passkey'] as const) : []), ...(status?.totp ? (['totp'] as const) : []), 'password']
}

function Question({ kinds, onDone }: PresenceDialogProps & { kinds: readonly Kind[] }) {
  const [kind, setKind] = useState(kinds[0] ?? 'password')
  const { busy, problem, confirm, forget } = useProof(onDone)
  const field = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const choose = (next: Kind) => {
    forget()
    setKind(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The dialog is within the form of the call in React's tree.
    event.stopPropagation()
    const value = field.current?.value ?? ''
    field.current?.select()
    void confirm(kind, value)
  }
  return (
    <Dialog
      title={t('signIn.presence')}
      description={t(kinds.length > 1 ? 'signIn.presenceText' : 'signIn.presenceOrLogin')}
      onClose={() => onDone(false)}
      initialFocus={kind === 'passkey' ? button : field}
      footer={
        <>
          <Button onClick={() => onDone(false)}>{t('common.cancel')}</Button>
          <Button ref={button} kind="primary" type="submit" form={FORM} busy={busy}>
            {t(kind === 'passkey' ? 'signIn.usePasskey' : 'signIn.presenceConfirm')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.form} noValidate onSubmit={submit}>
        {kind === 'password' && (
          <PasswordField ref={field} label={t('fields.currentPassword')} autoComplete="current-password" />
        )}
        {kind === 'totp' && (
          <TextField
            ref={field}
            label={t('signIn.code')}
            name="code"
            dir="ltr"
            inputMode="numeric"
            autoComplete="one-time-code"
          />
        )}
        <p className={styles.problem} role="alert">
          {problem}
        </p>
        {kinds
          .filter(other => other !== kind)
          .map(other => (
            <Button key={other} kind="quiet" onClick={() => choose(other)}>
              {t(USE[other])}
            </Button>
          ))}
      </form>
    </Dialog>
  )
}

/** Sends one proof at a time. */
function useProof(onDone: (proven: boolean) => void) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const confirm = async (kind: Kind, value: string) => {
    if (busy) return
    setBusy(true)
    setProblem('')
    try {
      await send(await proofOf(kind, value))
      onDone(true)
    } catch (error) {
      setProblem(problemText(kind, error))
      setBusy(false)
    }
  }
  return { busy, problem, confirm, forget: () => setProblem('') }
}

async function proofOf(kind: Kind, value: string): Promise<PresenceProof> {
  if (kind === 'password') return { current_password: value }
  if (kind === 'totp') return { code: value }
  const { ticket, options } = await apiJson<PasskeyOptions>('/api/account/confirm/options', { method: 'POST' })
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return { ticket, passkey: await startAuthentication({ optionsJSON }) } as PresenceProof
}

async function send(proof: PresenceProof): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  await api('/api/account/confirm', { method: 'POST', headers, body: JSON.stringify(proof) })
}

const WRONG = {
  passkey: 'signIn.passkeyRefused',
  totp: 'signIn.wrongCode',
  password: 'fields.currentPasswordWrong',
} as const

function problemText(kind: Kind, error: unknown): string {
  if (!(error instanceof ApiError)) return t('signIn.enrolFailed')
  return error.status === 403 ? t(WRONG[kind]) : errorText(error)
}
