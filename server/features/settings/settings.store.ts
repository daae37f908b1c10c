import { randomBytes } from 'node:crypto'
import { AccessChange, type AccessSettings } from '../../../shared/api/access-settings.ts'
import { type Settings, SettingsInput } from '../../../shared/api/settings.ts'
import { lockForChanges } from '../../db/lock.ts'
import { prepared } from '../../db/prepared.ts'
import type { Db } from '../../db/schema.ts'
import { AuthSettings } from './auth-settings.ts'
import { completeSettings } from './complete.ts'
import { ServerSettings } from './server-settings.ts'

const INSTANCE = 'instance'
const AUTH = 'auth'
const SERVER = 'server'
const ACCESS = 'access'
const SERVED_ROOT = 'served-root'
const SIGNING_KEY = 'signing-key'
const STAGING_KEY = 'staging-key'
const SEALING_KEY = 'sealing-key'
const ADOPTED = 'adopted'

/** No duty, and links of all kinds. */
const OPEN: AccessSettings = {
  secondFactor: { require: 'none', groups: [], from: null, graceDays: 14, trustProviders: true },
  links: { kinds: ['view', 'edit', 'drop'], password: 'optional', maxDays: 0, slugs: 'locked' },
}

/** The instance's settings; fields that were never stored have their defaults. */
export async function readSettings(db: Db): Promise<Settings> {
  return (await readSettingsAsStored(db)).settings
}

/** The settings with the text they are stored as, `undefined` if they never were. Not to be changed by the caller. */
export async function readSettingsAsStored(db: Db): Promise<AsStored> {
  const text = await readValue(db, INSTANCE)
  if (text !== latest.text) latest = { settings: settingsIn(text), text }
  return latest
}

interface AsStored {
  settings: Settings
  text: string | undefined
}

const settingsIn = (text = '{}'): Settings => frozen(completeSettings(SettingsInput.parse(JSON.parse(text))))

/** What was read last: every request reads it, and it changes rarely. */
let latest: AsStored = { settings: settingsIn(), text: undefined }

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

/** Stores the settings as a whole. */
export async function writeSettings(db: Db, settings: Settings): Promise<void> {
  await writeValue(db, INSTANCE, JSON.stringify(settings))
}

/** Stores the settings unless they changed since they were read. @returns whether they were stored */
export async function replaceSettings(db: Db, before: string | undefined, settings: Settings): Promise<boolean> {
  const value = JSON.stringify(settings)
  const result =
    before === undefined
      ? db
          .insertInto('settings')
          .values({ name: INSTANCE, value })
          .onConflict(conflict => conflict.doNothing())
          .returning('name')
      : db
          .updateTable('settings')
          .set({ value })
          .where('name', '=', INSTANCE)
          .where('value', '=', before)
          .returning('name')
  return (await result.execute()).length > 0
}

/** How users sign in; fields that were never stored have their defaults. */
export async function readAuthSettings(db: Db): Promise<AuthSettings> {
  return AuthSettings.parse(JSON.parse((await readValue(db, AUTH)) ?? '{}'))
}

/** Stores how users sign in, as a whole; applies from the next request. */
export async function writeAuthSettings(db: Db, settings: AuthSettings): Promise<void> {
  await writeValue(db, AUTH, JSON.stringify(settings))
}

/** What administrators demand of users: by default nothing. */
export async function readAccessSettings(db: Db): Promise<AccessSettings> {
  const text = await readValue(db, ACCESS)
  return text === undefined ? OPEN : { ...OPEN, ...AccessChange.parse(JSON.parse(text)) }
}

/** Changes what is given. With the second factor, the grace of every user begins again. */
export async function changeAccessSettings(db: Db, change: AccessChange): Promise<void> {
  await writeValue(db, ACCESS, JSON.stringify({ ...(await readAccessSettings(db)), ...change }))
  if (change.secondFactor) await db.deleteFrom('factor_duties').execute()
}

/** How the server starts by default; fields that were never stored have their defaults. */
export async function readServerSettings(db: Db): Promise<ServerSettings> {
  return ServerSettings.parse(JSON.parse((await readValue(db, SERVER)) ?? '{}'))
}

/** Stores how the server starts, as a whole; applies from the next start. */
export async function writeServerSettings(db: Db, settings: ServerSettings): Promise<void> {
  await writeValue(db, SERVER, JSON.stringify(settings))
}

/** Changes how the server starts, in a transaction; applies from the next start. */
export async function changeServerSettings(db: Db, change: (server: ServerSettings) => ServerSettings): Promise<void> {
  await db.transaction().execute(async transaction => {
    await lockForChanges(transaction)
    await writeServerSettings(transaction, change(await readServerSettings(transaction)))
  })
}

/** Stores which folder a server serves with this database, for commands that are called without it. */
export async function rememberServedRoot(db: Db, root: string): Promise<void> {
  await writeValue(db, SERVED_ROOT, root)
}

/** What `writeAdopted` stored; `undefined` when nothing was imported yet. */
export async function readAdopted(db: Db): Promise<unknown> {
  return JSON.parse((await readValue(db, ADOPTED)) ?? 'null')
}

/** Stores what was imported from another installation, to detect later which of it was changed here. */
export async function writeAdopted(db: Db, adopted: object): Promise<void> {
  await writeValue(db, ADOPTED, JSON.stringify(adopted))
}

/**
 * Where the server starts from, by the stored texts of a database that is not open.
 * @returns what was stored, and the folder that was served last, or `''`
 */
export function serverSettingsIn(texts: ReadonlyMap<string, string>): { server: ServerSettings; servedRoot: string } {
  const server = ServerSettings.parse(JSON.parse(texts.get(SERVER) ?? '{}'))
  return { server, servedRoot: texts.get(SERVED_ROOT) ?? '' }
}

/** The 64 random bytes that sign session tokens; made on first use. */
export const signingKey = (db: Db) => secret(db, SIGNING_KEY)

/** The 64 random bytes that authenticate the names of unfinished uploads; made on first use. */
export const stagingKey = (db: Db) => secret(db, STAGING_KEY)

/** The 64 random bytes that seal secrets, where the host gives no key; made on first use. */
export const sealingKey = (db: Db) => secret(db, SEALING_KEY)

/** The same, if it was made. */
export async function storedSealingKey(db: Db): Promise<Buffer | undefined> {
  const stored = await readValue(db, SEALING_KEY)
  return stored === undefined ? undefined : Buffer.from(stored, 'base64')
}

async function secret(db: Db, name: string): Promise<Buffer> {
  const stored = await readValue(db, name)
  if (stored !== undefined) return Buffer.from(stored, 'base64')
  const value = randomBytes(64).toString('base64')
  // Of several instances that start at once, one creates it for all.
  const row = db.insertInto('settings').values({ name, value })
  await row.onConflict(conflict => conflict.column('name').doNothing()).execute()
  return Buffer.from((await readValue(db, name)) ?? '', 'base64')
}

const findValue = prepared((db, name: string) => db.selectFrom('settings').select('value').where('name', '=', name))

async function readValue(db: Db, name: string): Promise<string | undefined> {
  return (await findValue(db, name))?.value
}

async function writeValue(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
