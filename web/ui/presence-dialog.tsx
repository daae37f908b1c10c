import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from '@simplewebauthn/browser'
import { type FormEvent, useRef, useState } from 'react'
import type { FactorStatus, PresenceProof } from '../../shared/api/factors.ts'
import type { ProviderAddress } from '../../shared/api/oidc.ts'
import type { PasskeyOptions } from '../../shared/api/passkeys.ts'
import type { AccountIdentity } from '../../shared/api/providers.ts'
import { ApiError, api, apiJson } from '../lib/api.ts'
import { pageConfig } from '../lib/config.ts'
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
type Way = { kind: 'passkey' | 'totp' | 'password' } | { kind: 'provider'; slug: string; label: string }

const PASSWORD: Way = { kind: 'password' }

interface PresenceDialogProps {
  onDone: (proven: boolean) => void
}

/** Asks for a passkey, a code of the app, the password or a sign-in with a provider: it counts for a while (http-api 46). */
export default function PresenceDialog({ onDone }: PresenceDialogProps) {
  const status = useQuery({
    queryKey: ['factors', 'own'],
    queryFn: ({ signal }: { signal: AbortSignal }) => apiJson<FactorStatus>('/api/account/factors', { signal }),
  })
  const identities = useQuery({
    queryKey: ['identities'],
    queryFn: ({ signal }: { signal: AbortSignal }) => apiJson<AccountIdentity[]>('/api/account/identities', { signal }),
  })
  const isKnown = [status, identities].every(({ data, error }) => data || error)
  if (isKnown) return <Question ways={waysOf(status.data, identities.data)} onDone={onDone} />
  return (
    <Dialog title={t('signIn.presence')} onClose={() => onDone(false)}>
      <Spinner label={t('common.loading')} />
    </Dialog>
  )
}

/** The quickest first; none that the account lacks, as far as that is known. */
function waysOf(status: FactorStatus | undefined, identities: AccountIdentity[] = []): Way[] {
  const hasPasskey = status !== undefined && status.passkeys.length > 0 && passkeysWork()
  const hasPassword = status?.hasPassword !== false || identities.some(({ kind }) => kind === 'ldap')
  const providers = identities.flatMap(({ kind, slug, label }): Way[] =>
    kind === 'oidc' && slug !== null ? [{ kind: 'provider', slug, label }] : [],
  )
  return [
    ...(hasPasskey ? [{ kind: 'passkey' } as const] : []),
    ...(status?.totp ? [{ kind: 'totp' } as const] : []),
    ...(hasPassword ? [PASSWORD] : []),
    ...providers,
  ]
}

/** The text of the button for a way. */
function textOf(way: Way): string {
  switch (way.kind) {
    case 'passkey':
      return t('signIn.usePasskey')
    case 'totp':
      return t('signIn.useApp')
    case 'password':
      return t('signIn.usePassword')
    case 'provider':
      return t('signIn.with', { provider: way.label })
  }
}

function Question({ ways, onDone }: PresenceDialogProps & { ways: readonly Way[] }) {
  const [way, setWay] = useState(ways[0] ?? PASSWORD)
  const { kind } = way
  const { busy, problem, confirm, forget } = useProof(onDone)
  const field = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const hasField = kind === 'totp' || kind === 'password'
  const choose = (next: Way) => {
    forget()
    setWay(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The dialog is within the form of the call in React's tree.
    event.stopPropagation()
    const value = field.current?.value ?? ''
    field.current?.select()
    void confirm(way, value)
  }
  return (
    <Dialog
      title={t('signIn.presence')}
      description={t(ways.length > 0 ? 'signIn.presenceText' : 'signIn.presenceOrLogin')}
      onClose={() => onDone(false)}
      initialFocus={hasField ? field : button}
      footer={
        <>
          <Button onClick={() => onDone(false)}>{t('common.cancel')}</Button>
          <Button ref={button} kind="primary" type="submit" form={FORM} busy={busy}>
            {hasField ? t('signIn.presenceConfirm') : textOf(way)}
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
        {kind === 'provider' && <p>{t('signIn.presenceProvider')}</p>}
        <p className={styles.problem} role="alert">
          {problem}
        </p>
        {ways
          .filter(other => textOf(other) !== textOf(way))
          .map(other => (
            <Button key={textOf(other)} kind="quiet" onClick={() => choose(other)}>
              {textOf(other)}
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
  const confirm = async (way: Way, value: string) => {
    if (busy) return
    setBusy(true)
    setProblem('')
    try {
      // The page is left, and its call repeated by hand once the provider has sent the browser back.
      if (way.kind === 'provider') return location.assign(await locationOf(way.slug))
      await post('/api/account/confirm', await proofOf(way.kind, value))
      onDone(true)
    } catch (error) {
      setProblem(problemText(way.kind, error))
      setBusy(false)
    }
  }
  return { busy, problem, confirm, forget: () => setProblem('') }
}

/** The address of a provider that asks its user to sign in again. */
async function locationOf(slug: string): Promise<string> {
  const redirect = location.pathname.slice(pageConfig.BaseURL.length)
  const answer = await post(`/api/oidc/${slug}/confirm`, { redirect })
  return ((await answer.json()) as ProviderAddress).location
}

async function proofOf(kind: Exclude<Way['kind'], 'provider'>, value: string): Promise<PresenceProof> {
  if (kind === 'password') return { current_password: value }
  if (kind === 'totp') return { code: value }
  const { ticket, options } = await apiJson<PasskeyOptions>('/api/account/confirm/options', { method: 'POST' })
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return { ticket, passkey: await startAuthentication({ optionsJSON }) } as PresenceProof
}

function post(path: string, body: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return api(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

const WRONG = {
  passkey: 'signIn.passkeyRefused',
  totp: 'signIn.wrongCode',
  password: 'fields.currentPasswordWrong',
} as const

function problemText(kind: Way['kind'], error: unknown): string {
  if (!(error instanceof ApiError)) return t('signIn.enrolFailed')
  return error.status === 403 && kind !== 'provider' ? t(WRONG[kind]) : errorText(error)
}
