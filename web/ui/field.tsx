import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import styles from './field.module.css'

export interface FieldProps {
  label: string
  /** A sentence below the control. */
  hint?: string | undefined
  /** Error text. Replaces the hint. */
  error?: string | undefined
  /** Receives the ids for the control. */
  children: (ids: { id: string; describedBy: string | undefined }) => ReactNode
}

/** A control with a visible label, and with its hint or error text. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  const noteId = `${id}-note`
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({ id, describedBy: note ? noteId : undefined })}
      {note && (
        <p id={noteId} className={styles.note} data-error={error ? '' : undefined}>
          {note}
        </p>
      )}
    </div>
  )
}

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** A button inside the field's end. */
  end?: ReactNode
  ref?: Ref<HTMLInputElement>
}

export function TextField({ label, hint, error, end, className, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy }) => (
        <div className={styles.box}>
          <input
            {...rest}
            id={id}
            className={[styles.input, className].filter(Boolean).join(' ')}
            aria-describedby={describedBy}
            aria-invalid={error || rest['aria-invalid'] ? true : undefined}
            data-end={end ? '' : undefined}
          />
          {end && <div className={styles.end}>{end}</div>}
        </div>
      )}
    </Field>
  )
}
