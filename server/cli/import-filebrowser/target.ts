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

/** Name of the new database, next to the one of File Browser that the settings name. */
const OWN_NAME = 'filigree.db'

/**
 * The target of the import. The root is that of flags, variables, the configuration file or the existing database, else that
 * of File Browser.
 * @throws AppError `bad_request` when the folder does not exist
 */
export async function placeOf(given: Pick<Arguments, 'flags'>, source: Source): Promise<Config> {
  const config = await hostOf(given, async database => {
    const stored = await storedForCommands(database)
    return { ...stored, root: stored.root || rootOver(source) }
  })
  if (config.rootIsDefault) {
    throw new AppError('bad_request', 'Name the folder to serve: --root /path/to/the/files')
  }
  const { rootFolder } = config
  if (rootFolder !== undefined && !statSync(rootFolder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new AppError('bad_request', `The folder ${config.root} does not exist. Name it: --root /path/to/the/files`)
  }
  if (!isFileBrowserDb(config.database)) return config
  return { ...config, database: join(dirname(config.database), OWN_NAME) }
}

/** An absolute root only: a relative one depends on the unknown working directory of File Browser. */
function rootOver({ server }: Source): string {
  const root = server?.root
  return typeof root === 'string' && isAbsolute(root) ? root : ''
}

/** Runs `act` on a temporary copy of the database, or on a new one if there is none. */
export async function inDryRun<T>(config: Config, act: (db: Db, config: Config) => Promise<T>): Promise<T> {
  if (isPostgres(config.database)) {
    throw new AppError('unsupported', '--dry-run needs an SQLite database: name one with --database.')
  }
  const folder = mkdtempSync(join(tmpdir(), 'filigree-dry-run-'))
  const database = join(folder, OWN_NAME)
  try {
    if (demandSound(config.database) === 'sound') await copyDb(config.database, database)
    return await inDb({ ...config, database }, act)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
