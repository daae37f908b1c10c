import type { Ref } from 'react'
import { localMinute } from '../lib/i18n/format.ts'
import { t } from '../lib/i18n/index.ts'
import { type ExpiryInput, expiryDays, suggestedEnd } from './expiry-input.ts'
import { TextField } from './field.tsx'
import { SelectField } from './select-field.tsx'

export interface ExpiryFieldsProps {
  value: ExpiryInput
  /** Whether there is an end that may stay. */
  mayStay: boolean
  error: string | undefined
  onChange: (value: ExpiryInput) => void
  /** Days until the end, at most; 0 for no limit. */
  mostDays?: number
  /** The first field. */
  ref?: Ref<HTMLSelectElement>
  /** The field of the date. */
  dateRef?: Ref<HTMLInputElement>
}

/** When a link, a grant or a team folder ends: never, after some days, or at a given time. */
export function ExpiryFields(props: ExpiryFieldsProps) {
  const { value, mayStay, error, onChange, mostDays = 0, ref = null, dateRef = null } = props
  const choices: { value: ExpiryInput['choice']; label: string }[] = [
    ...(mayStay ? [{ value: 'same' as const, label: t('shares.unchanged') }] : []),
    ...(mostDays === 0 ? [{ value: 'never' as const, label: t('shares.never') }] : []),
    ...expiryDays(mostDays).map(count => ({ value: count, label: t('shares.inDays', { count }) })),
    { value: 'date', label: t('shares.onDate') },
  ]
  return (
    <>
      <SelectField
        ref={ref}
        label={t('shares.expiry')}
        choices={choices.map(choice => ({ ...choice, value: String(choice.value) }))}
        value={String(value.choice)}
        onChange={text => {
          const found = choices.find(choice => String(choice.value) === text)
          if (!found) return
          const date = found.value === 'date' && value.date === '' ? suggestedEnd(Date.now()) : value.date
          onChange({ date, choice: found.value })
        }}
      />
      {value.choice === 'date' && (
        <TextField
          ref={dateRef}
          type="datetime-local"
          label={t('shares.endDate')}
          value={value.date}
          min={localMinute(Date.now())}
          error={error}
          onChange={event => onChange({ ...value, date: event.target.value })}
        />
      )}
    </>
  )
}
