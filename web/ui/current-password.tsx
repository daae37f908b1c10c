import { useEffect, useRef, useState } from 'react'
import { t } from '../lib/i18n/index.ts'
import { refusalOf } from '../lib/refusal.ts'
import { PasswordField } from './password-field.tsx'
import { Presence } from './presence.tsx'

/** The current password, as confirmation of a sensitive change. */
export interface Confirmation {
  /** Sent as `current_password`; `undefined` until the server has asked. */
  password: string | undefined
  /** Whether an error was the server's request for it; the field then appears, or shows that it was wrong. */
  takes(error: unknown): boolean
  field: ConfirmationField | undefined
}

interface ConfirmationField {
  value: string
  /** Number of requests by the server. */
  asked: number
  wrong: boolean
  onChange: (value: string) => void
}

/** Hosts may require the current password for sensitive changes (http-api 11); without that the field stays hidden. */
export function useConfirmation(): Confirmation {
  const [value, setValue] = useState('')
  const [asked, setAsked] = useState(0)
  const [wrong, setWrong] = useState(false)
  const takes = (error: unknown) => {
    if (refusalOf(error)?.field !== 'current_password') return false
    setWrong(asked > 0 && value !== '')
    setAsked(asked + 1)
    return true
  }
  const onChange = (next: string) => {
    setValue(next)
    setWrong(false)
  }
  const shown = asked > 0
  return { password: shown ? value : undefined, takes, field: shown ? { value, asked, wrong, onChange } : undefined }
}

/** The field, once required; takes the focus whenever the server requests it. Until then, where presence is proved. */
export function CurrentPassword({ confirmation: { field } }: { confirmation: Confirmation }) {
  const input = useRef<HTMLInputElement>(null)
  const asked = field?.asked ?? 0
  useEffect(() => {
    if (asked > 0) input.current?.focus()
  }, [asked])
  if (!field) return <Presence />
  return (
    <PasswordField
      ref={input}
      label={t('fields.currentPassword')}
      hint={t('fields.currentPasswordHint')}
      error={field.wrong ? t('fields.currentPasswordWrong') : undefined}
      autoComplete="current-password"
      value={field.value}
      onChange={event => field.onChange(event.target.value)}
    />
  )
}
