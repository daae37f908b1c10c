import { type KeyboardEvent, useState } from 'react'
import { t } from '../lib/i18n/index.ts'
import { IconButton } from './button.tsx'
import { TextField, type TextFieldProps } from './field.tsx'
import { Eye, EyeOff } from './icons.ts'

export type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'end' | 'onKeyDown' | 'onKeyUp' | 'onBlur'>

/** A password field, with a button that reveals it and a hint while Caps Lock is on. */
export function PasswordField({ hint, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <TextField
      autoCapitalize="none"
      spellCheck={false}
      {...rest}
      type={shown ? 'text' : 'password'}
      hint={capsLock ? t('auth.capsLock') : hint}
      onKeyDown={watch}
      onKeyUp={watch}
      onBlur={() => setCapsLock(false)}
      end={
        <IconButton
          label={shown ? t('auth.hidePassword') : t('auth.showPassword')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />}
        </IconButton>
      }
    />
  )
}
