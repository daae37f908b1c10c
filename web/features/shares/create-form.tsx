import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { ShareLink } from '../../../shared/api/shares.ts'
import { MAX_PASSWORD_BYTES } from '../../../shared/limits.ts'
import { encodePath } from '../../../shared/path.ts'
import { ApiError, apiJson } from '../../lib/api.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import styles from './create-form.module.css'
import { describeExpiry, type LinkExpiry, NEVER, parseExpiry } from './expiry.ts'
import { ExpiryFields } from './expiry-fields.tsx'

/** Id of the form, for a submit button outside of it. */
export const CREATE_FORM = 'new-share'

export interface CreateFormProps {
  item: { path: string; isDir: boolean }
  onBusy: (busy: boolean) => void
  onCreated: (link: ShareLink) => Promise<void>
}

/** An error with its field. */
interface Problem {
  at: 'life' | 'password' | 'form'
  text: string
}

/** Prompts for the expiry and password of a new share link, and shows a summary before it is created. */
export function CreateForm({ item, onBusy, onCreated }: CreateFormProps) {
  const [choice, setChoice] = useState(NEVER)
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<Problem>()
  const expiryField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const online = useOnline()
  useEffect(() => expiryField.current?.focus(), [])

  const refuse = (found: Problem) => {
    setProblem(found)
    onBusy(false)
    if (found.at === 'life') expiryField.current?.focus()
    if (found.at === 'password') passwordField.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const life = parseExpiry(choice, Date.now())
    if (typeof life === 'string') return refuse({ at: 'life', text: t(life) })
    if (isTooLong(password.trim())) return refuse({ at: 'password', text: t('shares.passwordLong') })
    setProblem(undefined)
    onBusy(true)
    try {
      await onCreated(await createLink(item, { ...life, password: password.trim() }))
      onBusy(false)
    } catch (error) {
      refuse(refusal(error))
    }
  }
  const problemAt = (field: Problem['at']) => (problem?.at === field ? problem.text : undefined)
  return (
    <form id={CREATE_FORM} className={styles.form} onSubmit={event => void submit(event)} noValidate>
      <ExpiryFields
        ref={expiryField}
        choice={choice}
        error={problemAt('life')}
        onChange={next => {
          setChoice(next)
          setProblem(undefined)
        }}
      />
      <PasswordField
        ref={passwordField}
        label={t('shares.password')}
        hint={t('shares.passwordHint')}
        value={password}
        error={problemAt('password')}
        autoComplete="new-password"
        onChange={event => {
          setPassword(event.target.value)
          setProblem(undefined)
        }}
      />
      <p className={styles.summary} role="status">
        <Summary choice={choice} locked={password.trim() !== ''} />
      </p>
      <p className={styles.problem} role="alert">
        {online ? problemAt('form') : t('errors.offline')}
      </p>
    </form>
  )
}

/** Summary of the share link. */
function Summary({ choice, locked }: { choice: Parameters<typeof parseExpiry>[0]; locked: boolean }) {
  const now = Date.now()
  const life = parseExpiry(choice, now)
  return (
    <>
      {typeof life !== 'string' && <strong>{describeExpiry(life, now)} </strong>}
      <span>{t(locked ? 'shares.openWithPassword' : 'shares.openToAll')}</span>
    </>
  )
}

const isTooLong = (password: string) => new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES

/** The server's refusal, at the field it names. */
function refusal(error: unknown): Problem {
  if (!(error instanceof ApiError)) return { at: 'form', text: errorText(error) }
  if (error.status === 403) return { at: 'form', text: t('shares.forbidden') }
  const field = error.status === 400 ? /\b(?:password|expires|unit)\b/.exec(error.message)?.[0] : undefined
  if (field === undefined) return { at: 'form', text: errorText(error) }
  if (field === 'password') return { at: 'password', text: t('shares.passwordLong') }
  return { at: 'life', text: t('shares.durationWrong') }
}

export interface LinkOptions extends LinkExpiry {
  /** `''` for none. */
  password: string
}

/**
 * `POST /api/share/{path}` (http-api 10.1); a folder's path gets a trailing slash. The body is empty unless there is a
 * password or an expiry. @throws ApiError
 */
function createLink(item: { path: string; isDir: boolean }, wish: LinkOptions): Promise<ShareLink> {
  const { expires, unit, password } = wish
  const query = expires === '' ? '' : `?expires=${expires}&unit=${unit}`
  const body = expires === '' && password === '' ? {} : { password, expires, unit }
  return apiJson<ShareLink>(`/api/share${encodePath(item.path)}${item.isDir ? '/' : ''}${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}
