import { VIEW_MODES } from '../../shared/api/users.ts'
import { PERMISSIONS } from '../../shared/permissions.ts'
import { SORT_FIELDS } from '../../shared/sorting.ts'
import { type FieldFlag, fieldFlag } from './fields.ts'

/** Fields of a user, and defaults of new users (http-api 19.2). */
export const DEFAULTS_FLAGS: readonly FieldFlag[] = [
  ...PERMISSIONS.map(name => fieldFlag(`perm.${name}`, 'switch', `perm.${name}`, `Permission: ${name}.`)),
  fieldFlag('sorting.by', 'text', 'sorting.by', `Order of listings: ${SORT_FIELDS.join(', ')}.`),
  fieldFlag('sorting.asc', 'switch', 'sorting.asc', 'Reverse order.'),
  fieldFlag('commands', 'items', 'commands', 'Commands that the user may run, separated by commas.'),
  fieldFlag('scope', 'text', 'scope', 'Root of what the user sees, relative to the served folder.'),
  fieldFlag('locale', 'text', 'locale', 'Language, such as en or de.'),
  fieldFlag('viewMode', 'text', 'viewMode', `View of folders: ${VIEW_MODES.join(', ')}.`, {
    aliases: ['view-mode'],
  }),
  fieldFlag('singleClick', 'switch', 'singleClick', 'Open with a single click.', { aliases: ['single-click'] }),
  fieldFlag(
    'redirectAfterCopyMove',
    'switch',
    'redirectAfterCopyMove',
    'Open the destination after copying or moving.',
  ),
  fieldFlag('dateFormat', 'switch', 'dateFormat', 'Absolute dates instead of “two hours ago”.'),
  fieldFlag('hideDotfiles', 'switch', 'hideDotfiles', 'Hide names that begin with a dot.'),
  fieldFlag('aceEditorTheme', 'text', 'aceEditorTheme', 'Theme of the editor.'),
]

export const USER_FLAGS: readonly FieldFlag[] = [
  ...DEFAULTS_FLAGS,
  fieldFlag('lockPassword', 'switch', 'lockPassword', 'The user may not change the password.', {
    aliases: ['lock-password'],
  }),
]
