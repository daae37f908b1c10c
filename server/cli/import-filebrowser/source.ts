import { extname } from 'node:path'
import { AppError } from '../../errors.ts'
import { DOCUMENT_NAMES } from '../config/document.ts'
import { readDataFile, restoreCase } from '../data-file.ts'
import { USER_NAMES } from '../users/import.ts'
import { readBolt } from './bolt/file.ts'
import { recordsIn } from './storm.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The raw data of a File Browser installation. */
export interface Source {
  settings?: Fields
  server?: Fields
  /** Settings of the authentication method. */
  auther?: Fields
  users: readonly unknown[]
  /** Only in a database. */
  shares?: readonly unknown[]
}

const EXPORTED = ['.json', '.yaml', '.yml']

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads a database, or the output of `config export` and `users export`; at most one of each.
 * @throws AppError `bad_request` with a message for the console
 */
export function readSource(paths: readonly string[]): Source {
  const parts = paths.map(path =>
    EXPORTED.includes(extname(path).toLowerCase()) ? readExport(path) : readDatabase(path),
  )
  const names = parts.flatMap(part => Object.keys(part))
  if (new Set(names).size < names.length) {
    throw new AppError('bad_request', 'Name one database, or one file with settings and one with users.')
  }
  return Object.assign({ users: [] }, ...parts)
}

function readDatabase(path: string): Source {
  const bolt = readBolt(path)
  const config = recordsIn(bolt, 'config')
  const users = recordsIn(bolt, 'User')
  if (!config?.has('settings') || !users) {
    throw new AppError('bad_request', `${path} is not a database of File Browser 2: it has no settings or no users.`)
  }
  const record = (name: string) => {
    const value = config.get(name)
    return isFields(value) ? { [name]: value } : {}
  }
  return {
    ...earlyServer(config.get('settings')),
    ...record('settings'),
    ...record('server'),
    ...record('auther'),
    users: [...users.values()],
    shares: [...(recordsIn(bolt, 'Link')?.values() ?? [])],
  }
}

/** The first releases stored the root and the base URL among the settings, without a server record. */
function earlyServer(settings: unknown): Pick<Source, 'server'> {
  if (!isFields(settings) || typeof settings.scope !== 'string') return {}
  return { server: { root: settings.scope, baseURL: settings.baseURL } }
}

function readExport(path: string): Partial<Source> {
  const content = readDataFile(path, undefined)
  if (Array.isArray(content)) return { users: restoreCase(content, USER_NAMES) as unknown[] }
  const document = restoreCase(content, DOCUMENT_NAMES)
  if (!isFields(document) || !isFields(document.settings) || !isFields(document.server)) {
    throw new AppError('bad_request', `${path} is not an export of settings or users from File Browser.`)
  }
  const { settings, server, auther } = document
  return { settings, server, ...(isFields(auther) ? { auther } : {}) }
}
