import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { LinkInfo } from '../../../shared/api/mail.ts'
import { ApiError, api, apiJson } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { refusalOf } from '../../lib/refusal.ts'
import { Link } from '../../lib/router.tsx'
import { Button } from '../../ui/button.tsx'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { commonText } from './failure.ts'
import styles from './login.module.css'

/** What a link in a mail is for: a new password, an invitation, or the confirmation of an address (http-api 38). */
export default function MailLink() {
  const [secret] = useState(() => location.hash.slice(1))
  const [info, setInfo] = useState<LinkInfo>()
  const [problem, setProblem] = useState('')
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    // The secret leaves the address, and with it the history of the browser.
    history.replaceState(history.state, '', location.pathname + location.search)
    callLink<LinkInfo>('look', { link: secret }).then(setInfo, (error: unknown) => setProblem(problemOf(error)))
  }, [secret])
  const use = async (password?: string) => {
    await callLink('use', { link: secret, password })
    setDone(true)
  }
  if (problem !== '') return <Outcome text={problem} isProblem />
  if (!info) return <Spinner label={t('common.loading')} />
  if (isDone) return <Outcome text={t(info.purpose === 'verify' ? 'mail.confirmed' : 'mail.passwordSet')} />
  return <LinkForm info={info} use={use} onOver={setProblem} />
}

/** @throws ApiError 404 for a link that is used or too old */
function callLink<T>(what: 'look' | 'use', body: object): Promise<T> {
  const headers = { 'Content-Type': 'application/json' }
  const init = { method: 'POST', body: JSON.stringify(body), headers, auth: false }
  const path = `/api/mail-links/${what}`
  return what === 'look' ? apiJson<T>(path, init) : (api(path, init) as Promise<T>)
}

const isOver = (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status === 400)
const problemOf = (error: unknown) => (isOver(error) ? t('mail.linkOver') : commonText(error))

function Outcome({ text, isProblem = false }: { text: string; isProblem?: boolean }) {
  const result = useRef<HTMLParagraphElement>(null)
  useEffect(() => result.current?.focus(), [])
  return (
    <>
      <p ref={result} tabIndex={-1} className={isProblem ? styles.error : styles.told}>
        {text}
      </p>
      <p>
        <Link to="/login">{t('mail.back')}</Link>
      </p>
    </>
  )
}

interface LinkFormProps {
  info: LinkInfo
  use: (password?: string) => Promise<void>
  onOver: (problem: string) => void
}

function LinkForm({ info: { purpose, username, address }, use, onOver }: LinkFormProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ field: 'password' | 'again' | 'form'; text: string }>()
  const heading = useRef<HTMLHeadingElement>(null)
  const first = useRef<HTMLInputElement>(null)
  const online = useOnline()
  useEffect(() => (first.current ?? heading.current)?.focus(), [])
  const setsPassword = purpose !== 'verify'
  const refuse = (field: 'password' | 'again' | 'form', text: string) => {
    setProblem({ field, text })
    first.current?.focus()
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const data = new FormData(event.currentTarget)
    const [password, again] = ['password', 'again'].map(name => String(data.get(name) ?? ''))
    if (password !== again) return refuse('again', t('auth.passwordsDiffer'))
    setBusy(true)
    setProblem(undefined)
    try {
      await use(setsPassword ? password : undefined)
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal) refuse('password', refusal.problem)
      else if (isOver(error)) onOver(t('mail.linkOver'))
      else refuse('form', commonText(error))
    }
    setBusy(false)
  }
  const textAt = (field: string) => (problem?.field === field ? problem.text : undefined)
  const titles = { reset: 'mail.resetTitle', invitation: 'mail.inviteTitle', verify: 'mail.verifyTitle' } as const
  return (
    <form className={styles.form} noValidate onSubmit={event => void submit(event)}>
      <h2 ref={heading} tabIndex={-1} className={styles.heading}>
        {t(titles[purpose])}
      </h2>
      <p>
        {setsPassword ? t('mail.forAccount', { name: username }) : t('mail.verifyText', { address, name: username })}
      </p>
      {setsPassword && (
        <>
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <NewPasswordField
            ref={first}
            label={t('auth.password')}
            name="password"
            autoComplete="new-password"
            error={textAt('password')}
          />
          <PasswordField
            label={t('auth.passwordAgain')}
            name="again"
            autoComplete="new-password"
            error={textAt('again')}
          />
        </>
      )}
      <p className={styles.error} role="alert">
        {online ? textAt('form') : t('auth.noConnection')}
      </p>
      <Button type="submit" kind="primary" busy={busy} disabled={!online}>
        {t(setsPassword ? 'mail.setPassword' : 'mail.confirm')}
      </Button>
    </form>
  )
}
