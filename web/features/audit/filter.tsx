import { AUDIT_ACTIONS } from '../../../shared/api/audit.ts'
import { t } from '../../lib/i18n/index.ts'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import type { AuditQuery } from './api/audit.ts'
import styles from './audit.module.css'
import { ACTION_LABELS } from './labels.ts'

export interface AuditFilterProps {
  options: AuditQuery
  onChange: (options: AuditQuery) => void
}

/** The filter of the audit log. */
export function AuditFilter({ options, onChange }: AuditFilterProps) {
  const text = (name: keyof AuditQuery, label: string, type: string, dir?: 'ltr' | 'auto') => (
    <TextField
      label={label}
      type={type}
      dir={dir}
      value={options[name]}
      onChange={event => onChange({ ...options, [name]: event.target.value })}
    />
  )
  const actions = AUDIT_ACTIONS.map(action => ({ value: action, label: t(ACTION_LABELS[action]) }))
  return (
    <div className={styles.filter}>
      {text('user', t('auth.username'), 'search', 'auto')}
      <SelectField
        label={t('files.menu')}
        value={options.action}
        choices={[{ value: '', label: t('audit.everything') }, ...actions]}
        onChange={action => onChange({ ...options, action })}
      />
      {text('path', t('common.path'), 'search', 'ltr')}
      {text('from', t('audit.from'), 'date')}
      {text('until', t('audit.until'), 'date')}
    </div>
  )
}
