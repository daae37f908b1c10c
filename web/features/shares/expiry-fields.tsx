import type { Ref } from 'react'
import { localMinute } from '../../lib/i18n/format.ts'
import { type MessageKey, t } from '../../lib/i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import fieldStyles from '../../ui/field.module.css'
import { Field, TextField } from '../../ui/field.tsx'
import styles from './create-form.module.css'
import type { ExpiryInput, ShareUnit } from './expiry.ts'

const UNITS: readonly { unit: ShareUnit; labelKey: MessageKey & `shares.unit${string}` }[] = [
  { unit: 'seconds', labelKey: 'shares.unitSeconds' },
  { unit: 'minutes', labelKey: 'shares.unitMinutes' },
  { unit: 'hours', labelKey: 'shares.unitHours' },
  { unit: 'days', labelKey: 'shares.unitDays' },
]

export interface ExpiryFieldsProps {
  choice: ExpiryInput
  error: string | undefined
  onChange: (next: ExpiryInput) => void
  /** The expiry field. */
  ref: Ref<HTMLInputElement>
}

/** Expiry of a share link: after a duration, or at a given time. */
export function ExpiryFields({ choice, error, onChange, ref }: ExpiryFieldsProps) {
  const other = choice.by === 'date' ? 'duration' : 'date'
  return (
    <div className={styles.life}>
      {choice.by === 'date' ? (
        <TextField
          key="date"
          ref={ref}
          type="datetime-local"
          label={t('shares.endDate')}
          value={choice.date}
          min={localMinute(Date.now())}
          error={error}
          onChange={event => onChange({ ...choice, date: event.target.value })}
        />
      ) : (
        <Duration choice={choice} error={error} onChange={onChange} ref={ref} />
      )}
      <Button kind="quiet" className={styles.other} onClick={() => onChange({ ...choice, by: other })}>
        {t(choice.by === 'date' ? 'shares.chooseDuration' : 'shares.chooseDate')}
      </Button>
    </div>
  )
}

function Duration({ choice, error, onChange, ref }: ExpiryFieldsProps) {
  const setUnit = (name: string) => {
    const found = UNITS.find(({ unit }) => unit === name)
    if (found) onChange({ ...choice, unit: found.unit })
  }
  return (
    <div className={styles.duration}>
      <TextField
        ref={ref}
        label={t('shares.duration')}
        hint={t('shares.durationHint')}
        error={error}
        value={choice.count}
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        onChange={event => onChange({ ...choice, count: event.target.value })}
      />
      <Field label={t('shares.unit')}>
        {({ id }) => (
          <select
            id={id}
            className={fieldStyles.input}
            value={choice.unit}
            onChange={event => setUnit(event.target.value)}
          >
            {UNITS.map(({ unit, labelKey }) => (
              <option key={unit} value={unit}>
                {t(labelKey)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  )
}
