import { useEffect, useRef, useState } from 'react'
import { t } from '../lib/i18n/index.ts'
import { refusalOf } from '../lib/refusal.ts'
import { PasswordField } from './password-field.tsx'

/** The own password of whoever does something sensitive. */
export interface Confirmation {
  /** Sent as `current_password`; `undefined` until the server has asked. */
  password: string | undefined
  /** Whether an error was the server asking for it; the field then appears, or says that it was wrong. */
  takes(error: unknown): boolean
  field: ConfirmationField | undefined
}

interface ConfirmationField {
  value: string
  /** How often the server has asked. */
  asked: number
  wrong: boolean
  onChange: (value: string) => void
}

/** Hosts may demand the own password for sensitive changes (http-api 11); nobody else shall be bothered by a field. */
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

/** The field, once it is needed; takes the focus whenever the server asks. */
export function CurrentPassword({ confirmation: { field } }: { confirmation: Confirmation }) {
  const input = useRef<HTMLInputElement>(null)
  const asked = field?.asked ?? 0
  useEffect(() => {
    if (asked > 0) input.current?.focus()
  }, [asked])
  if (!field) return null
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
