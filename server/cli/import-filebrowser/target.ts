import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import type { Config } from '../../config.ts'
import { isPostgres } from '../../db/address.ts'
import { copyDb } from '../../db/backup.ts'
import { demandSound, isFileBrowserDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Arguments } from '../command.ts'
import { hostOf, inDb } from '../open.ts'
import { storedForCommands } from '../stored.ts'
import type { Source } from './source.ts'

/** What our database is called beside one of File Browser that the settings name. */
const OWN_NAME = 'filigree.db'

/**
 * Where things are brought to, and which folder is served: the one that flags, variables, the configuration file or our
 * database name, else the one that was served over there.
 * @throws AppError `bad_request` when that folder is not here
 */
export async function placeOf(given: Pick<Arguments, 'flags'>, source: Source): Promise<Config> {
  const config = await hostOf(given, async database => {
    const stored = await storedForCommands(database)
    return { ...stored, root: stored.root || rootOver(source) }
  })
  if (config.rootIsDefault) {
    throw new AppError('bad_request', 'Say which folder is to be served: --root /path/to/the/files')
  }
  const { rootFolder } = config
  if (rootFolder !== undefined && !statSync(rootFolder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new AppError(
      'bad_request',
      `The folder ${config.root} is not here. Say where it is: --root /path/to/the/files`,
    )
  }
  if (!isFileBrowserDb(config.database)) return config
  return { ...config, database: join(dirname(config.database), OWN_NAME) }
}

/** A relative folder meant the one the other program was started in, which nobody knows. */
function rootOver({ server }: Source): string {
  const root = server?.root
  return typeof root === 'string' && isAbsolute(root) ? root : ''
}

/** Works on a copy of the database, or on a new one if there is none, and throws that away. */
export async function inRehearsal<T>(config: Config, act: (db: Db, config: Config) => Promise<T>): Promise<T> {
  if (isPostgres(config.database)) {
    throw new AppError('unsupported', 'A rehearsal works on a file: name one with --database.')
  }
  const folder = mkdtempSync(join(tmpdir(), 'filigree-rehearsal-'))
  const database = join(folder, OWN_NAME)
  try {
    if (demandSound(config.database) === 'sound') await copyDb(config.database, database)
    return await inDb({ ...config, database }, act)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
