import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { commonText } from './failure.ts'
import styles from './login.module.css'

export interface ForgottenProps {
  /** Whether it takes the place of the sign-in form; otherwise it is the button that leads here. */
  isOpen: boolean
  onToggle: () => void
}

/** Asks for a mail with a link that sets a new password (http-api 38). */
export default function Forgotten({ isOpen, onToggle }: ForgottenProps) {
  return (
    <>
      {isOpen && <AskForm />}
      <p className={styles.toggle}>
        <Button kind="quiet" onClick={onToggle}>
          {t(isOpen ? 'mail.back' : 'mail.forgot')}
        </Button>
      </p>
    </>
  )
}

function AskForm() {
  const [state, setState] = useState<'asking' | 'busy' | 'sent'>('asking')
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const result = useRef<HTMLParagraphElement>(null)
  const online = useOnline()
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (state === 'sent') result.current?.focus()
  }, [state])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const name = field.current?.value.trim() ?? ''
    if (state === 'busy') return
    if (name === '') return field.current?.focus()
    setState('busy')
    setProblem(undefined)
    try {
      const headers = { 'Content-Type': 'application/json' }
      await api('/api/password-reset', { method: 'POST', body: JSON.stringify({ name }), headers, auth: false })
      setState('sent')
    } catch (error) {
      setProblem(commonText(error))
      setState('asking')
    }
  }
  if (state === 'sent') {
    return (
      <p ref={result} tabIndex={-1} className={styles.told}>
        {t('mail.linkSent')}
      </p>
    )
  }
  return (
    <form className={styles.form} noValidate onSubmit={event => void submit(event)}>
      <p>{t('mail.forgotText')}</p>
      <TextField
        ref={field}
        label={t('mail.nameOrAddress')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <p className={styles.error} role="alert">
        {online ? problem : t('auth.noConnection')}
      </p>
      <Button type="submit" kind="primary" busy={state === 'busy'} disabled={!online}>
        {t('mail.sendLink')}
      </Button>
    </form>
  )
}
