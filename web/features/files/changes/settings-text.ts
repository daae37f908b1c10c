import type { ChangeStep } from '../../../../shared/api/changes.ts'
import { formatFacts } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'

/** What a step did to the settings of a share link; nothing for any other step. */
export function settingsText({ settings = [] }: Pick<ChangeStep, 'settings'>): string | undefined {
  return settings.length === 0 ? undefined : formatFacts(settings.map(name => t(`changes.set.${name}`)))
}
