import { shownDatabase } from '../../db/address.ts'
import { isThere } from '../../db/open.ts'
import { AppError } from '../../errors.ts'
import type { Command } from '../command.ts'
import { hostOf, inDb } from '../open.ts'
import { printParts } from './cat.ts'
import { CONFIG_FLAGS } from './flags.ts'
import { readParts, withFlags, withLeaves, writeParts } from './parts.ts'

/** Where `config init` differs from a first start without a database (docs/design/auth.md). */
const INITIAL = { 'settings.defaults.viewMode': 'list', 'settings.defaults.redirectAfterCopyMove': false }

export const command: Command = {
  usage: '',
  summary: 'Creates a database with settings and without users',
  flags: CONFIG_FLAGS,
  words: { least: 0, most: 0 },
  changes: true,
  async run(given) {
    const config = await hostOf(given)
    const database = shownDatabase(config.database)
    if (await isThere(config.database)) {
      throw new AppError('exists', `${database} already exists. Change it with: filigree config set`)
    }
    await inDb(config, async db => {
      const parts = withFlags(withLeaves(await readParts(db), INITIAL), given.flags)
      await writeParts(db, parts)
      printParts(parts)
    })
    console.log(
      `\nThe database ${database} is ready. Add the first user with: filigree users add <name> <password> --perm.admin`,
    )
  },
}
