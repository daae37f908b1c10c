import type { Command } from '../command.ts'
import { DRY_RUN_FLAG, onHistory, undoChange } from './common.ts'

export const command: Command = {
  usage: '<id>',
  summary: 'Undoes a change, as far as nothing was changed since, also while the server runs',
  flags: [DRY_RUN_FLAG],
  words: { least: 1, most: 1 },
  run: given => onHistory(given, 'undo', history => undoChange(history, given, given.positionals[0] ?? '', 'undo')),
}
