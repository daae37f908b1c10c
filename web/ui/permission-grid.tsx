import { ALL_PERMISSIONS, type Permission, type Permissions } from '../../shared/permissions.ts'
import { pageConfig } from '../lib/config.ts'
import { type MessageKey, t } from '../lib/i18n/index.ts'
import { Checkbox } from './checkbox.tsx'
import styles from './permission-grid.module.css'

const LABELS: readonly { name: Exclude<Permission, 'admin'>; labelKey: MessageKey & `permissions.${string}` }[] = [
  { name: 'create', labelKey: 'permissions.create' },
  { name: 'modify', labelKey: 'permissions.modify' },
  { name: 'rename', labelKey: 'permissions.rename' },
  { name: 'delete', labelKey: 'permissions.delete' },
  { name: 'download', labelKey: 'permissions.download' },
  { name: 'share', labelKey: 'permissions.share' },
  { name: 'execute', labelKey: 'permissions.execute' },
]

/**
 * Permissions after a change of one of them: administrators have them all, and sharing implies downloading, as the
 * server requires.
 */
export function withPermission(perm: Permissions, name: Permission, granted: boolean): Permissions {
  if (name === 'admin') return granted ? ALL_PERMISSIONS : { ...perm, admin: false }
  if (name === 'share' && granted) return { ...perm, share: true, download: true }
  if (name === 'download' && !granted) return { ...perm, share: false, download: false }
  return { ...perm, [name]: granted }
}

export interface PermissionGridProps {
  value: Permissions
  onChange: (perm: Permissions) => void
  error?: string | undefined
  /** Permissions that cannot be given here. */
  without?: readonly Permission[]
}

/** The permissions of a user. Running commands is listed only where the server has it enabled. */
export function PermissionGrid({ value, onChange, error, without = [] }: PermissionGridProps) {
  const toggle = (name: Permission) => (granted: boolean) => onChange(withPermission(value, name, granted))
  const shown = LABELS.filter(({ name }) => (name !== 'execute' || pageConfig.EnableExec) && !without.includes(name))
  return (
    <div className={styles.permissions} data-field="perm">
      {!without.includes('admin') && (
        <Checkbox
          label={t('permissions.admin')}
          hint={t(value.admin ? 'permissions.adminWhy' : 'permissions.adminHint')}
          error={error}
          checked={value.admin}
          onChange={toggle('admin')}
        />
      )}
      <div className={styles.grid}>
        {shown.map(({ name, labelKey }) => (
          <Checkbox
            key={name}
            label={t(labelKey)}
            checked={value[name]}
            disabled={value.admin}
            onChange={toggle(name)}
          />
        ))}
      </div>
    </div>
  )
}
