import { useState } from 'react'
import { lazySignIn } from '../lib/lazy.ts'
import { LazyBoundary } from './lazy-boundary.tsx'
import styles from './new-password-field.module.css'
import { PasswordField, type PasswordFieldProps } from './password-field.tsx'

const PasswordStrength = lazySignIn(() => import('./password-strength.tsx'))

export interface NewPasswordFieldProps extends PasswordFieldProps {
  /** Whether the password is a new one; the strength is said only then. */
  isNew?: boolean
}

/** A password field that says while the user types how hard the password is to guess. */
export function NewPasswordField({ isNew = true, onChange, ...rest }: NewPasswordFieldProps) {
  const [typed, setTyped] = useState('')
  const password = rest.value === undefined ? typed : String(rest.value)
  const isShown = isNew && password !== '' && rest.error === undefined
  return (
    <div>
      <PasswordField
        {...rest}
        onChange={event => {
          setTyped(event.target.value)
          onChange?.(event)
        }}
      />
      <div role="status" className={isShown ? styles.strength : undefined}>
        {isShown && (
          <LazyBoundary>
            <PasswordStrength password={password} />
          </LazyBoundary>
        )}
      </div>
    </div>
  )
}
