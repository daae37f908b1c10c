// What a File Browser container left in the volumes: its settings, and its database, which the first start imports.
import { spawnSync } from 'node:child_process'
import { chownSync, closeSync, copyFileSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** In the order of the images of File Browser: with s6 and the later ones; those before 2.33. */
const SETTINGS = ['/config/settings.json', '/.filebrowser.json']
const DATABASES = ['/database/filebrowser.db', '/database.db']
const OWN = '/database/filigree.db'
/** Readable by the user of the server, in the memory of the container. */
const COPY = '/tmp/filebrowser.db'
/** The bytes of a Bolt database at their offset. */
const MAGIC = Buffer.from('edda0ced', 'hex')
const MAGIC_AT = 16

/**
 * Finds the settings and the database of File Browser in the volumes.
 * @param environment its FILIGREE_DATABASE counts as a choice: then nothing is imported
 * @param root of the file system, for tests
 * @returns `variables` to set, and `old`: the database to import at the first start, if there is one
 */
export function findFileBrowser(environment, root = '/') {
  const at = path => join(root, path)
  const variables = {}
  const settings = environment.FILIGREE_CONFIG ?? SETTINGS.map(at).find(existsSync)
  if (settings !== undefined) variables.FILIGREE_CONFIG = settings
  if (environment.FILIGREE_DATABASE || environment.FILIGREE_DATABASE_FILE) return { variables }
  const named = environment.FB_DATABASE ?? databaseIn(settings)
  const chosen = named === undefined ? undefined : at(resolve('/', named))
  if (chosen !== undefined && existsSync(chosen) && !isBolt(chosen)) return { variables }
  const old = [chosen, ...DATABASES.map(at)].find(path => path !== undefined && isBolt(path))
  if (old === undefined) return { variables }
  variables.FILIGREE_DATABASE = at(OWN)
  // The second file says that there was a database: without it, the server refuses to start.
  const isFirst = !existsSync(at(OWN)) && !existsSync(`${at(OWN)}.keep`)
  return { variables, ...(isFirst ? { old } : {}) }
}

/** As root: the path of a database that the user can read, a copy of a file that only root can. */
export function readableBy(user, path) {
  const { uid, mode } = statSync(path)
  if (uid !== 0 || user === 0 || (mode & 0o004) !== 0) return path
  copyFileSync(path, COPY)
  chownSync(COPY, user, -1)
  return COPY
}

/** Imports the database, which is only read, and reports into the log. @returns the exit code */
export function adopt(old, environment, program = fileURLToPath(new URL('../bin/filigree', import.meta.url))) {
  const { FILIGREE_CONFIG: settings } = environment
  const config = settings === undefined ? [] : ['--config', settings]
  const { status } = spawnSync(process.execPath, [program, 'adopt', old, ...config], {
    env: environment,
    stdio: 'inherit',
  })
  return status ?? 1
}

function databaseIn(settings) {
  if (settings === undefined) return undefined
  try {
    const { database } = JSON.parse(readFileSync(settings, 'utf8'))
    return typeof database === 'string' && database !== '' ? database : undefined
  } catch {
    // The server reports what is wrong with it.
    return undefined
  }
}

function isBolt(path) {
  const found = Buffer.alloc(MAGIC.length)
  try {
    const file = openSync(path)
    try {
      readSync(file, found, 0, found.length, MAGIC_AT)
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
  return found.equals(MAGIC)
}
