import type { TextareaHTMLAttributes } from 'react'
import inputs from './field.module.css'
import { Field } from './field.tsx'
import styles from './text-area.module.css'

export interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'onChange'> {
  label: string
  hint?: string | undefined
  error?: string | undefined
  onChange: (value: string) => void
}

/** Multi-line technical text: monospaced, left to right, growing with its content. */
export function TextArea({ label, hint, error, onChange, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy }) => (
        <textarea
          rows={2}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          {...rest}
          id={id}
          className={`${inputs.input} ${styles.area}`}
          aria-describedby={describedBy}
          aria-invalid={error ? true : undefined}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
