import { EDIT_RIGHTS, type EditRight } from '../../../shared/api/shares.ts'
import { pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import styles from './link-form.module.css'
import { RIGHT_LABELS } from './rights.ts'

interface RightsFieldProps {
  value: readonly EditRight[]
  /** Those that the user can give. */
  mayGive: readonly EditRight[]
  error: string | undefined
  onChange: (rights: readonly EditRight[]) => void
}

/** What visitors of a link to edit may change. */
export function RightsField({ value, mayGive, error, onChange }: RightsFieldProps) {
  return (
    <fieldset className={styles.rights}>
      <legend className={styles.legend}>{t('links.rights')}</legend>
      {EDIT_RIGHTS.filter(right => mayGive.includes(right) || value.includes(right)).map(right => (
        <Checkbox
          key={right}
          label={t(RIGHT_LABELS[right])}
          hint={right === 'delete' && pageConfig.Trash ? t('links.mayDeleteHint') : undefined}
          checked={value.includes(right)}
          onChange={checked => onChange(EDIT_RIGHTS.filter(one => (one === right ? checked : value.includes(one))))}
        />
      ))}
      <p className={styles.problem} role="alert">
        {error}
      </p>
    </fieldset>
  )
}
