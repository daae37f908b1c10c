import type { Ref, SelectHTMLAttributes } from 'react'
import inputs from './field.module.css'
import { Field } from './field.tsx'
import styles from './select-field.module.css'

export interface Choice {
  value: string
  label: string
  /** BCP 47 tag of the label, if it differs from the page's language. */
  lang?: string
}

export interface SelectFieldProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'onChange'> {
  label: string
  hint?: string | undefined
  error?: string | undefined
  choices: readonly Choice[]
  onChange: (value: string) => void
  ref?: Ref<HTMLSelectElement>
}

/** A native select, which has typeahead. */
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
