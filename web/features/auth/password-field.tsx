import { type KeyboardEvent, type Ref, useState } from 'react'
import { t } from '../../lib/i18n/index.ts'
import { IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Eye, EyeOff } from '../../ui/icons.ts'

/** The password, with a button that shows it and a hint while Caps Lock is on. */
export function PasswordField({ invalid, ref }: { invalid: boolean; ref: Ref<HTMLInputElement> }) {
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <TextField
      ref={ref}
      label={t('auth.password')}
      name="password"
      type={shown ? 'text' : 'password'}
      autoComplete="current-password"
      autoCapitalize="none"
      spellCheck={false}
      aria-invalid={invalid ? true : undefined}
      hint={capsLock ? t('auth.capsLock') : undefined}
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
