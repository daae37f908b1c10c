import { type Settings, SettingsInput } from '../../../shared/api/settings.ts'
import type { SettingName } from '../../config/settings.ts'
import { givenTcp, parseSetting } from '../../config.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { AuthSettings } from '../../features/settings/auth-settings.ts'
import { checkSettings } from '../../features/settings/checks.ts'
import { completeSettings } from '../../features/settings/complete.ts'
import { ServerSettings } from '../../features/settings/server-settings.ts'
import {
  readAuthSettings,
  readServerSettings,
  readSettings,
  writeAuthSettings,
  writeServerSettings,
  writeSettings,
} from '../../features/settings/settings.store.ts'
import { checked } from '../check.ts'
import { applyFlags, setField } from '../fields.ts'
import { inTransaction } from '../open.ts'
import { storedIn } from '../stored.ts'
import { AUTH_FLAGS, IDLE_FLAGS, SERVER_FLAGS, SETTINGS_FLAGS } from './flags.ts'

/** All settings: of the instance, of authentication, and of the start of the server. */
export interface Parts {
  settings: Settings
  auth: AuthSettings
  server: ServerSettings
}

export async function readParts(db: Db): Promise<Parts> {
  return {
    settings: await readSettings(db),
    auth: await readAuthSettings(db),
    server: await readServerSettings(db),
  }
}

/** Stores all parts in one transaction. */
export const writeParts = (db: Db, parts: Parts): Promise<void> =>
  inTransaction(db, transaction => storeParts(transaction, parts))

/** The same, inside a transaction of the caller. */
export async function storeParts(db: Db, { settings, auth, server }: Parts): Promise<void> {
  await writeSettings(db, settings)
  await writeAuthSettings(db, auth)
  await writeServerSettings(db, server)
}

/** The parts with other values, by path as in `leavesOf`. @throws AppError `bad_request` */
export function withLeaves(parts: Parts, leaves: Readonly<Record<string, unknown>>): Parts {
  const copy: Record<string, unknown> = structuredClone({ ...parts })
  for (const [name, value] of Object.entries(leaves)) setField(copy, name.split('.'), value)
  return {
    settings: completeSettings(checked(SettingsInput, copy.settings, 'settings')),
    auth: checked(AuthSettings, copy.auth, 'auth'),
    server: checked(ServerSettings, copy.server, 'server'),
  }
}

/**
 * The parts with the given flags applied, validated.
 * @throws AppError `bad_request` naming the invalid field
 */
export function withFlags(parts: Parts, flags: ReadonlyMap<string, string>): Parts {
  for (const { flag } of IDLE_FLAGS) if (flags.has(flag)) console.error(`The setting ${flag} has no effect here.`)
  const server = checked(ServerSettings, applyFlags(parts.server, flags, SERVER_FLAGS), 'server')
  const tcp = givenTcp(name => (flags.get(name) ?? '') !== '')
  return checkParts({
    settings: completeSettings(checked(SettingsInput, applyFlags(parts.settings, flags, SETTINGS_FLAGS), '')),
    auth: checked(AuthSettings, applyFlags(parts.auth, flags, AUTH_FLAGS), 'auth'),
    // Of socket and address, the one set now replaces the other.
    server: tcp === undefined ? server : { ...server, socket: '' },
  })
}

/** @throws AppError `bad_request` naming the invalid field */
export function checkParts(parts: Parts): Parts {
  const { settings, auth, server } = parts
  checkSettings(settings)
  if (auth.method === 'proxy' && auth.header === '') {
    throw new AppError('bad_request', 'The method proxy needs a header name: --auth.header')
  }
  if (auth.method === 'hook' && auth.command === '') {
    throw new AppError('bad_request', 'The method hook needs a program: --auth.command')
  }
  checkServer(server)
  return parts
}

/** Refuses values that a server would not start with. A certificate may be set before its key. */
function checkServer(server: ServerSettings): void {
  for (const [name, text] of Object.entries(storedIn(server))) {
    if (text !== '') parseSetting(name as SettingName, text)
  }
}
