import { signingKey } from '../../features/settings/settings.store.ts'
import type { Command } from '../command.ts'
import { isYaml, writeDataFile } from '../data-file.ts'
import { withDb } from '../open.ts'
import { toDocument } from './document.ts'
import { readParts } from './parts.ts'

export const command: Command = {
  usage: '<file>',
  summary: 'Writes all settings, secrets included, to a .json or .yaml file',
  words: { least: 1, most: 1 },
  run: given =>
    withDb(given, async (db, config) => {
      const [path = ''] = given.positionals
      const bytes = await signingKey(db)
      const key = isYaml(path) ? [...bytes] : bytes.toString('base64')
      writeDataFile(path, toDocument(await readParts(db), key, config.rootIsDefault ? '' : config.root))
    }),
}
