import { t } from '../../lib/i18n/index.ts'
import type { Problems } from '../../lib/refusal.ts'
import type { GlobalDraft } from './global-draft.ts'

/** Props of each card of the global settings. */
export interface GlobalCardProps {
  value: GlobalDraft
  onChange: (part: Partial<GlobalDraft>) => void
  problems: Problems
}

/** Display name of a settings field; an element of a list has its number. */
export function nameOfField(field: string): string {
  const rule = /^rules\[(\d+)\]/.exec(field)?.[1]
  if (rule !== undefined) return t('rules.number', { number: Number(rule) + 1 })
  if (field.startsWith('userHomeBasePath')) return t('settings.homes')
  if (field.startsWith('minimumPasswordLength')) return t('settings.minimumPasswordLength')
  if (field.startsWith('defaults.scope')) return t('fields.scope')
  if (field.startsWith('branding.name')) return t('settings.instanceName')
  if (field.startsWith('branding.files')) return t('settings.brandingFolder')
  if (field.startsWith('branding.color')) return t('settings.accentColor')
  return field
}
