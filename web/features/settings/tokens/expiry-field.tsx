import { t } from '../../../lib/i18n/index.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import { mostDays, offeredDays } from './expiry.ts'

interface ExpiryFieldProps {
  /** Days; infinite means no end. */
  value: number
  onChange: (days: number) => void
  isAdmin: boolean
}

/** The life of a new token. */
export function ExpiryField({ value, onChange, isAdmin }: ExpiryFieldProps) {
  const most = mostDays(isAdmin)
  const choices = offeredDays(most).map(days => ({
    value: String(days),
    label: Number.isFinite(days) ? t('tokens.days', { count: days }) : t('tokens.endless'),
  }))
  return (
    <SelectField
      label={t('tokens.life')}
      choices={choices}
      value={String(Math.min(value, most))}
      onChange={text => onChange(Number(text))}
    />
  )
}
