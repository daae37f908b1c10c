import type { TokenScope } from '../../../../shared/api/tokens.ts'
import { pageConfig } from '../../../lib/config.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useSession } from '../../../lib/session.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import styles from './tokens.module.css'

interface ScopesFieldProps {
  value: readonly TokenScope[]
  onChange: (scopes: readonly TokenScope[]) => void
}

/** The rights of a new token, as far as its user has them. Reading belongs to all that concern files. */
export function ScopesField({ value, onChange }: ScopesFieldProps) {
  const { user } = useSession()
  const toggle = (scope: TokenScope) => (checked: boolean) => {
    const others = value.filter(known => known !== scope)
    const next = checked ? [...others, scope] : others
    onChange(next.length === 0 ? ['read'] : next)
  }
  const needsRead = value.some(scope => scope === 'write' || scope === 'share')
  const shown: readonly TokenScope[] = [
    'read',
    'write',
    ...(user?.perm.share ? (['share'] as const) : []),
    ...(user?.perm.admin && pageConfig.AdminTokens ? (['admin'] as const) : []),
  ]
  return (
    <fieldset className={styles.rights}>
      <legend className={styles.legend}>{t('tokens.rights')}</legend>
      {shown.map(scope => (
        <Checkbox
          key={scope}
          label={t(`tokens.scope.${scope}`)}
          hint={t(`tokens.scopeHint.${scope}`)}
          checked={value.includes(scope) || (scope === 'read' && needsRead)}
          disabled={scope === 'read' && needsRead}
          onChange={toggle(scope)}
        />
      ))}
    </fieldset>
  )
}
