import { EDIT_RIGHTS, type EditRight, type LinkKind, type ShareLink } from '../../../shared/api/shares.ts'
import type { Permissions } from '../../../shared/permissions.ts'
import { pageConfig } from '../../lib/config.ts'
import { formatFacts } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'

export const RIGHT_LABELS = {
  create: 'links.mayCreate',
  rename: 'links.mayRename',
  modify: 'links.mayReplace',
  delete: 'links.mayDelete',
} as const

/** What a link to edit one file gives: the file keeps its name and its place. */
const OF_FILE: readonly EditRight[] = ['modify']

/** The rights that a user can give to a link. @param isDir whether it leads to a folder */
export const rightsToGive = (perm: Permissions, isDir: boolean): EditRight[] =>
  EDIT_RIGHTS.filter(right => perm[right] && (isDir || OF_FILE.includes(right)))

/** The kinds of links that a user can make, as far as administrators allow them. A file takes no files. */
export const kindsToMake = (perm: Permissions, isDir: boolean): LinkKind[] =>
  [
    'view' as const,
    ...(rightsToGive(perm, isDir).length > 0 ? ['edit' as const] : []),
    ...(isDir && perm.create ? ['drop' as const] : []),
  ].filter(kind => pageConfig.Links.kinds.includes(kind))

/** What a new link to edit a folder begins with: nothing that takes from what is there. */
const FIRST: readonly EditRight[] = ['create']

/** The rights that the form begins with. @param isDir whether the link leads to a folder */
export const rightsOf = (link: ShareLink | undefined, isDir: boolean): readonly EditRight[] =>
  link?.rights ?? (isDir ? FIRST : OF_FILE)

/** What visitors of such a link can do, as facts. @param isDir whether it leads to a folder */
export const rightsText = (rights: readonly EditRight[], isDir: boolean): string =>
  formatFacts([
    t('links.view'),
    ...EDIT_RIGHTS.filter(right => rights.includes(right)).map(right =>
      t(right === 'modify' && !isDir ? 'links.mayChangeFile' : RIGHT_LABELS[right]),
    ),
  ])
