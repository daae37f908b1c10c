import { AppError } from '../../errors.ts'
import type { Command } from '../command.ts'
import { DRY_RUN_FLAG, onHistory, undoChange } from './common.ts'

export const command: Command = {
  usage: '<id>',
  summary: 'Does again what an undo undid; takes the id of the change or of its undo',
  flags: [DRY_RUN_FLAG],
  words: { least: 1, most: 1 },
  run: given =>
    onHistory(given, 'undo', async history => {
      const [id = ''] = given.positionals
      const { record } = await history.files.history.find(id)
      const undo = record.kind === 'undo' ? id : record.undoneBy
      if (undo === undefined) throw new AppError('bad_request', 'This change was not undone.')
      await undoChange(history, given, undo, 'redo')
    }),
}
