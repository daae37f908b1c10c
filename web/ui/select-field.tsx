import type { SelectHTMLAttributes } from 'react'
import inputs from './field.module.css'
import { Field } from './field.tsx'
import styles from './select-field.module.css'

export interface Choice {
  value: string
  label: string
  /** BCP 47 tag of the label, when it is not the page's. */
  lang?: string
}

export interface SelectFieldProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'onChange'> {
  label: string
  hint?: string | undefined
  error?: string | undefined
  choices: readonly Choice[]
  onChange: (value: string) => void
}

/** One of several values; the platform's own list, which searches by typing. */
export function SelectField({ label, hint, error, choices, onChange, ...rest }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy }) => (
        <select
          {...rest}
          id={id}
          className={`${inputs.input} ${styles.select}`}
          aria-describedby={describedBy}
          aria-invalid={error ? true : undefined}
          onChange={event => onChange(event.target.value)}
        >
          {choices.map(choice => (
            <option key={choice.value} value={choice.value} lang={choice.lang}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
