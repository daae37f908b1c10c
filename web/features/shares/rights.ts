import { EDIT_RIGHTS, type EditRight, type LinkKind, type ShareLink } from '../../../shared/api/shares.ts'
import type { Permissions } from '../../../shared/permissions.ts'
import { formatFacts } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'

export const RIGHT_LABELS = {
  create: 'links.mayCreate',
  rename: 'links.mayRename',
  modify: 'links.mayReplace',
  delete: 'links.mayDelete',
} as const

/** The rights that a user can give to a link. */
export const rightsToGive = (perm: Permissions): EditRight[] => EDIT_RIGHTS.filter(right => perm[right])

/** The kinds of links that a user can make of a folder. A file has links to view only. */
export function kindsToMake(perm: Permissions, isDir: boolean): LinkKind[] {
  if (!isDir) return ['view']
  return [
    'view',
    ...(rightsToGive(perm).length > 0 ? ['edit' as const] : []),
    ...(perm.create ? ['drop' as const] : []),
  ]
}

/** What a new link to edit begins with: nothing that takes from what is there. */
const FIRST: readonly EditRight[] = ['create']

/** The rights that the form begins with. */
export const rightsOf = (link: ShareLink | undefined): readonly EditRight[] => link?.rights ?? FIRST

/** What visitors of such a link can do, as facts. */
export const rightsText = (rights: readonly EditRight[]): string =>
  formatFacts([
    t('links.view'),
    ...EDIT_RIGHTS.filter(right => rights.includes(right)).map(right => t(RIGHT_LABELS[right])),
  ])
