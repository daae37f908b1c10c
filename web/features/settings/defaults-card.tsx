import type { UserDefaults } from '../../../shared/api/settings.ts'
import { pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { Card, CardGroup } from '../../ui/card.tsx'
import styles from '../../ui/form.module.css'
import { PermissionGrid } from '../../ui/permission-grid.tsx'
import { CommandsField, DisplayFields, LanguageField, ViewModeField } from '../../ui/user-fields.tsx'
import type { GlobalCardProps } from './global-fields.ts'
import { ScopeField } from './scope-field.tsx'

/** Defaults of new users. */
export function DefaultsCard({ value, onChange, problems }: GlobalCardProps) {
  const { settings } = value
  const { defaults } = settings
  const set = (part: Partial<UserDefaults>) =>
    onChange({ settings: { ...settings, defaults: { ...defaults, ...part } } })
  return (
    <Card title={t('settings.defaults')} text={t('settings.defaultsText')}>
      <ScopeField
        name="defaults.scope"
        value={defaults.scope}
        error={problems['defaults.scope']}
        onChange={scope => set({ scope })}
      />
      <div className={styles.pair}>
        <LanguageField byBrowser={false} value={defaults.locale} onChange={locale => set({ locale })} />
        <ViewModeField value={defaults.viewMode} onChange={viewMode => set({ viewMode })} />
      </div>
      <DisplayFields value={defaults} onChange={set} />
      <CardGroup title={t('permissions.title')}>
        <PermissionGrid value={defaults.perm} onChange={perm => set({ perm })} />
      </CardGroup>
      {pageConfig.EnableExec && (
        <CommandsField
          value={value.defaultCommands}
          onChange={defaultCommands => onChange({ defaultCommands })}
          error={problems['defaults.commands']}
        />
      )}
    </Card>
  )
}
