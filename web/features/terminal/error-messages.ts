import { CUT_OFF, NOT_ALLOWED } from '../../../shared/api/commands.ts'
import { type MessageKey, t } from '../../lib/i18n/index.ts'

type CommandErrorKey = MessageKey &
  ('errors.forbidden' | 'errors.unsupported' | 'terminal.notAllowed' | 'terminal.notFound' | 'terminal.cutOff')

const COMMAND_ERRORS: ReadonlyMap<string, CommandErrorKey> = new Map([
  [NOT_ALLOWED, 'terminal.notAllowed'],
  [CUT_OFF, 'terminal.cutOff'],
  ['not_found', 'terminal.notFound'],
  ['not_a_folder', 'terminal.notFound'],
  ['forbidden', 'errors.forbidden'],
  ['outside_scope', 'errors.forbidden'],
  ['unsupported', 'errors.unsupported'],
])

/**
 * The server's own last message about a command, localized; `''` when the last line is the command's. Syntax errors
 * stay in the words of shells.
 * @param reason of the WebSocket's close frame (`shared/api/commands.ts`)
 */
export function commandErrorText(reason: string): string {
  const key = COMMAND_ERRORS.get(reason)
  return key === undefined ? '' : t(key)
}
