import { VIEW_MODES } from '../../shared/api/users.ts'
import { PERMISSIONS } from '../../shared/permissions.ts'
import { SORT_FIELDS } from '../../shared/sorting.ts'
import { type FieldFlag, fieldFlag } from './fields.ts'

/** What users have and new ones start with (http-api 19.2). */
export const DEFAULTS_FLAGS: readonly FieldFlag[] = [
  ...PERMISSIONS.map(name => fieldFlag(`perm.${name}`, 'switch', `perm.${name}`, `Permission: ${name}.`)),
  fieldFlag('sorting.by', 'text', 'sorting.by', `Order of listings: ${SORT_FIELDS.join(', ')}.`),
  fieldFlag('sorting.asc', 'switch', 'sorting.asc', 'Turns the order round.'),
  fieldFlag('commands', 'items', 'commands', 'Commands the user may run, parted by commas.'),
  fieldFlag('scope', 'text', 'scope', 'Folder of the served root that the user lives in.'),
  fieldFlag('locale', 'text', 'locale', 'Language, such as en or de.'),
  fieldFlag('viewMode', 'text', 'viewMode', `How folders are shown: ${VIEW_MODES.join(', ')}.`, {
    aliases: ['view-mode'],
  }),
  fieldFlag('singleClick', 'switch', 'singleClick', 'Open with a single click.', { aliases: ['single-click'] }),
  fieldFlag('redirectAfterCopyMove', 'switch', 'redirectAfterCopyMove', 'Go where things were copied or moved to.'),
  fieldFlag('dateFormat', 'switch', 'dateFormat', 'Exact dates instead of “two hours ago”.'),
  fieldFlag('hideDotfiles', 'switch', 'hideDotfiles', 'Hide what begins with a dot.'),
  fieldFlag('aceEditorTheme', 'text', 'aceEditorTheme', 'Theme of the editor.'),
]

export const USER_FLAGS: readonly FieldFlag[] = [
  ...DEFAULTS_FLAGS,
  fieldFlag('lockPassword', 'switch', 'lockPassword', 'The user may not change the password.', {
    aliases: ['lock-password'],
  }),
]
