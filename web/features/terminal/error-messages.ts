import { CUT_OFF, NOT_ALLOWED } from '../../../shared/api/commands.ts'
import { type MessageKey, t } from '../../lib/i18n/index.ts'

type FaultKey = MessageKey &
  ('errors.forbidden' | 'errors.unsupported' | 'terminal.notAllowed' | 'terminal.notFound' | 'terminal.cutOff')

const FAULTS: ReadonlyMap<string, FaultKey> = new Map([
  [NOT_ALLOWED, 'terminal.notAllowed'],
  [CUT_OFF, 'terminal.cutOff'],
  ['not_found', 'terminal.notFound'],
  ['not_a_folder', 'terminal.notFound'],
  ['forbidden', 'errors.forbidden'],
  ['outside_scope', 'errors.forbidden'],
  ['unsupported', 'errors.unsupported'],
])

/**
 * What the server itself said last of a command, in the reader's language; `''` when the last line is the command's. What
 * is wrong with the writing of a command stays in the words in which shells say it.
 * @param reason with which the WebSocket was closed (`shared/api/commands.ts`)
 */
export function faultText(reason: string): string {
  const key = FAULTS.get(reason)
  return key === undefined ? '' : t(key)
}
