import type { Branding, SettingsAnswer, Theme } from '../../../shared/api/settings.ts'
import { t } from '../../lib/i18n/index.ts'
import { Card, CardGroup } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from '../../ui/form.module.css'
import { RulesEditor } from '../../ui/rules/editor.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { BrandingImages } from './branding-images.tsx'
import type { GlobalCardProps } from './global-fields.ts'

/** Accounts, global rules, the shell, and branding. */
export function GeneralCard({ value, onChange, problems }: GlobalCardProps) {
  return (
    <Card title={t('settings.general')}>
      <AccountsGroup value={value} onChange={onChange} problems={problems} />
      <CardGroup title={t('settings.rules')} text={t('settings.rulesText')}>
        <RulesEditor value={value.rules} onChange={rules => onChange({ rules })} problems={problems} />
      </CardGroup>
      <CardGroup title={t('settings.shell')}>
        <TextField
          label={t('settings.shellCommand')}
          hint={t('settings.shellHint')}
          error={problems.shell}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="/bin/sh -c"
          data-field="shell"
          value={value.shell}
          onChange={event => onChange({ shell: event.target.value })}
        />
      </CardGroup>
      <BrandingGroup value={value} onChange={onChange} problems={problems} />
      <BrandingImages />
    </Card>
  )
}

function AccountsGroup({ value, onChange, problems }: GlobalCardProps) {
  const { settings } = value
  const set = (part: Partial<SettingsAnswer>) => onChange({ settings: { ...settings, ...part } })
  return (
    <CardGroup title={t('settings.accounts')}>
      <div>
        <Checkbox label={t('settings.signup')} checked={settings.signup} onChange={signup => set({ signup })} />
        <Checkbox
          label={t('settings.hideLoginButton')}
          checked={settings.hideLoginButton}
          onChange={hideLoginButton => set({ hideLoginButton })}
        />
        <Checkbox
          label={t('settings.createUserDir')}
          checked={settings.createUserDir}
          onChange={createUserDir => set({ createUserDir })}
        />
      </div>
      <TextField
        label={t('settings.homes')}
        hint={t('settings.homesHint')}
        error={problems.userHomeBasePath}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="/users"
        data-field="userHomeBasePath"
        value={settings.userHomeBasePath}
        onChange={event => set({ userHomeBasePath: event.target.value })}
      />
      <TextField
        className={styles.number}
        label={t('settings.minimumPasswordLength')}
        error={problems.minimumPasswordLength}
        inputMode="numeric"
        autoComplete="off"
        data-field="minimumPasswordLength"
        value={value.minimumPasswordLength}
        onChange={event => onChange({ minimumPasswordLength: event.target.value })}
      />
    </CardGroup>
  )
}

function BrandingGroup({ value, onChange, problems }: GlobalCardProps) {
  const { settings } = value
  const { branding } = settings
  const set = (part: Partial<Branding>) => onChange({ settings: { ...settings, branding: { ...branding, ...part } } })
  const themes: { value: Theme; label: string }[] = [
    { value: '', label: t('nav.themeLight') },
    { value: 'dark', label: t('nav.themeDark') },
    { value: 'auto', label: t('nav.themeAuto') },
  ]
  return (
    <CardGroup title={t('settings.branding')} text={t('settings.brandingText')}>
      <div className={styles.pair}>
        <TextField
          label={t('settings.instanceName')}
          error={problems['branding.name']}
          placeholder="Filigree"
          autoComplete="off"
          dir="auto"
          data-field="branding.name"
          value={branding.name}
          onChange={event => set({ name: event.target.value })}
        />
        <TextField
          label={t('settings.brandingFolder')}
          hint={t('settings.brandingFolderHint')}
          error={problems['branding.files']}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          data-field="branding.files"
          value={branding.files}
          onChange={event => set({ files: event.target.value })}
        />
      </div>
      <div className={styles.pair}>
        <TextField
          label={t('settings.accentColor')}
          error={problems['branding.color']}
          placeholder="#00707b"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          data-field="branding.color"
          value={branding.color}
          onChange={event => set({ color: event.target.value.trim() })}
        />
        <SelectField
          label={t('fields.theme')}
          choices={themes}
          value={branding.theme}
          onChange={chosen => set({ theme: themes.find(theme => theme.value === chosen)?.value ?? '' })}
        />
      </div>
      <div>
        <Checkbox
          label={t('settings.disableExternal')}
          checked={branding.disableExternal}
          onChange={disableExternal => set({ disableExternal })}
        />
        <Checkbox
          label={t('settings.disableUsedPercentage')}
          checked={branding.disableUsedPercentage}
          onChange={disableUsedPercentage => set({ disableUsedPercentage })}
        />
      </div>
    </CardGroup>
  )
}
