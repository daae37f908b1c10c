import { type InputHTMLAttributes, type Ref, useId } from 'react'
import styles from './checkbox.module.css'

export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'type' | 'onChange'> {
  label: string
  /** A sentence below the label. */
  hint?: string | undefined
  /** Error text. Replaces the hint. */
  error?: string | undefined
  onChange: (checked: boolean) => void
  ref?: Ref<HTMLInputElement>
}

/** A check box with its label. */
export function Checkbox({ label, hint, error, onChange, ...rest }: CheckboxProps) {
  const id = useId()
  const note = error ?? hint
  const noteId = `${id}-note`
  return (
    <div className={styles.line} data-disabled={rest.disabled || undefined}>
      <input
        {...rest}
        id={id}
        type="checkbox"
        className={styles.box}
        aria-describedby={note ? noteId : rest['aria-describedby']}
        aria-invalid={error ? true : undefined}
        onChange={event => onChange(event.target.checked)}
      />
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {note && (
        <p id={noteId} className={styles.note} data-error={error ? '' : undefined}>
          {note}
        </p>
      )}
    </div>
  )
}
