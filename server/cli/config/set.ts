import { AppError } from '../../errors.ts'
import { COMMON_FLAGS, type Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printParts } from './cat.ts'
import { CONFIG_FLAGS } from './flags.ts'
import { readParts, withFlags, writeParts } from './parts.ts'

export const command: Command = {
  usage: '',
  summary: 'Changes the settings that are given, and no others',
  flags: CONFIG_FLAGS,
  words: { least: 0, most: 0 },
  changes: true,
  async run(given) {
    const common = COMMON_FLAGS.map(({ flag }) => flag)
    if ([...given.flags.keys()].every(name => common.includes(name))) {
      throw new AppError('bad_request', 'Nothing to set was given. Try: filigree help config set')
    }
    await withDb(given, async db => {
      const parts = withFlags(await readParts(db), given.flags)
      await writeParts(db, parts)
      printParts(parts)
    })
  },
}
