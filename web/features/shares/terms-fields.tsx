import { SENDERS, type Sender } from '../../../shared/api/shares.ts'
import { MAX_LINK_NOTE } from '../../../shared/limits.ts'
import { t } from '../../lib/i18n/index.ts'
import inputs from '../../ui/field.module.css'
import { Field, TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import styles from './link-form.module.css'
import type { LimitName, TermsInput } from './terms.ts'

interface TermsFieldsProps {
  value: TermsInput
  /** A limit with an error. */
  wrong: LimitName | undefined
  onChange: (value: TermsInput) => void
}

const LIMITS = [
  { name: 'maxItems', label: 'links.maxItems' },
  { name: 'maxFileSize', label: 'links.maxFileSize' },
  { name: 'maxSize', label: 'links.maxSize' },
] as const

/** Whom a file request asks for a name, and how much it takes. */
export function TermsFields({ value, wrong, onChange }: TermsFieldsProps) {
  return (
    <>
      <SenderField value={value.sender} onChange={sender => onChange({ ...value, sender })} />
      <fieldset className={styles.limits}>
        <legend className={styles.legend}>{t('links.limits')}</legend>
        {LIMITS.map(({ name, label }) => (
          <TextField
            key={name}
            label={t(label)}
            inputMode="decimal"
            autoComplete="off"
            value={value[name]}
            error={wrong === name ? t('links.badLimit') : undefined}
            onChange={event => onChange({ ...value, [name]: event.target.value })}
          />
        ))}
        <p className={styles.limitsHint}>{t('links.noLimit')}</p>
      </fieldset>
    </>
  )
}

interface SenderFieldProps {
  /** The sender of files, unless given. */
  label?: string
  value: Sender
  onChange: (value: Sender) => void
}

/** Whether visitors are asked for their name. */
export function SenderField({ label = t('links.sender'), value, onChange }: SenderFieldProps) {
  return (
    <SelectField
      label={label}
      choices={SENDERS.map(sender => ({ value: sender, label: t(`links.senders.${sender}`) }))}
      value={value}
      onChange={text => {
        const sender = SENDERS.find(known => known === text)
        if (sender) onChange(sender)
      }}
    />
  )
}

interface NoteFieldProps {
  label?: string
  hint: string
  /** The most characters. */
  most?: number
  value: string
  onChange: (value: string) => void
}

/** A message in plain text; that of a link to its visitors unless it has another label. */
export function NoteField({ label, hint, most = MAX_LINK_NOTE, value, onChange }: NoteFieldProps) {
  return (
    <Field label={label ?? t('links.note')} hint={hint}>
      {({ id, describedBy }) => (
        <textarea
          id={id}
          className={`${inputs.input} ${styles.note}`}
          aria-describedby={describedBy}
          rows={2}
          dir="auto"
          maxLength={most}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
