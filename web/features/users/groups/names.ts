import type { Group } from '../../../../shared/api/groups.ts'
import { PERMISSIONS } from '../../../../shared/permissions.ts'
import { pageConfig } from '../../../lib/config.ts'
import { formatList } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'

/** Id of the group of all users; `EVERYONE` of shared/api/groups.ts would load the schemas. */
const EVERYONE = 'everyone'
const PROVIDER = 'provider:'

export const isEveryone = ({ id }: Pick<Group, 'id'>): boolean => id === EVERYONE

/** The name of a group as the interface shows it. */
export const groupName = (group: Pick<Group, 'id' | 'name'>): string =>
  isEveryone(group) ? t('groups.everyone') : group.name

/** What a group gives, as text. */
export function givenBy({ perm }: Pick<Group, 'perm'>): string {
  if (perm.admin) return t('permissions.admin')
  const names = PERMISSIONS.filter(name => perm[name] && (name !== 'execute' || pageConfig.EnableExec))
  return names.length === 0 ? t('groups.nothing') : formatList(names.map(name => t(`permissions.${name}`)))
}

/** The providers that give a membership. */
export const providersIn = (sources: readonly string[]): string[] =>
  sources.filter(source => source.startsWith(PROVIDER)).map(source => source.slice(PROVIDER.length))

/** Whether the membership can be ended by hand. */
export const isByHand = (sources: readonly string[]): boolean => sources.includes('manual')
