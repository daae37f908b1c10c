import type { TokenScope } from '../../../shared/api/tokens.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { ApiTokensTable } from '../../db/api-tokens-schema.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'
import { type StoredUser, toUser } from '../users/users.store.ts'

/** A token as stored, without its hash. */
export interface StoredToken {
  id: string
  userId: number
  label: string
  hint: string
  scopes: readonly TokenScope[]
  /** Empty for all files. */
  folders: readonly FilePath[]
  /** Empty for any address. */
  networks: readonly string[]
  /** Milliseconds since the epoch, as all times here; null for never. */
  expiresAt: number | null
  createdAt: number
  usedAt: number | null
  address: string
  agent: string
}

/** A token with its account. */
export interface OwnedToken {
  token: StoredToken
  user: StoredUser
}

export async function insertToken(db: Db, token: StoredToken, hash: string): Promise<void> {
  await db.insertInto('api_tokens').values(toRow(token, hash)).execute()
}

/** One query: every request with a token costs it. */
export async function findTokenByHash(db: Db, hash: string): Promise<OwnedToken | undefined> {
  return owned(await withUsers(db).where('api_tokens.hash', '=', hash).executeTakeFirst())
}

export async function findToken(db: Db, id: string): Promise<OwnedToken | undefined> {
  return owned(await withUsers(db).where('api_tokens.id', '=', id).executeTakeFirst())
}

/** Tokens of a user, or all, the newest first. */
export async function listTokens(db: Db, userId?: number): Promise<StoredToken[]> {
  const all = db.selectFrom('api_tokens').selectAll().orderBy('created_at', 'desc').orderBy('id')
  const rows = await (userId === undefined ? all : all.where('user_id', '=', userId)).execute()
  return rows.map(fromRow)
}

export async function renameToken(db: Db, id: string, label: string): Promise<void> {
  await db.updateTable('api_tokens').set({ label }).where('id', '=', id).execute()
}

/** Records use, unless a concurrent request recorded one after `since`. */
export async function noteTokenUse(
  db: Db,
  id: string,
  use: Pick<ApiTokensTable, 'used_at' | 'address' | 'agent'>,
  since: number,
): Promise<void> {
  await db
    .updateTable('api_tokens')
    .set(use)
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('used_at', 'is', null), eb('used_at', '<=', since)]))
    .execute()
}

/** Deletes tokens of a user: one, or all. @returns their ids */
export async function deleteTokens(db: Db, userId: number, id?: string): Promise<string[]> {
  const all = db.deleteFrom('api_tokens').where('user_id', '=', userId)
  const rows = await (id === undefined ? all : all.where('id', '=', id)).returning('id').execute()
  return rows.map(row => row.id)
}

const COLUMNS = [
  'api_tokens.id as token_id',
  'label',
  'hint',
  'scopes',
  'folders',
  'networks',
  'expires_at',
  'api_tokens.created_at as token_created_at',
  'used_at',
  'address',
  'agent',
] as const

const withUsers = (db: Db) =>
  db.selectFrom('api_tokens').innerJoin('users', 'users.id', 'api_tokens.user_id').selectAll('users').select(COLUMNS)

type JoinedRow = Awaited<ReturnType<ReturnType<typeof withUsers>['executeTakeFirst']>>

function owned(row: JoinedRow): OwnedToken | undefined {
  if (!row) return undefined
  const { token_id: id, token_created_at: created_at } = row
  return { token: fromRow({ ...row, id, created_at, user_id: row.id }), user: toUser(row) }
}

function fromRow(row: Omit<ApiTokensTable, 'hash'>): StoredToken {
  const { id, label, hint, address, agent } = row
  const folders: string[] = JSON.parse(row.folders)
  return {
    id,
    userId: row.user_id,
    label,
    hint,
    scopes: JSON.parse(row.scopes),
    folders: folders.map(folder => fromStored(folder) as FilePath),
    networks: JSON.parse(row.networks),
    expiresAt: row.expires_at === null ? null : Number(row.expires_at),
    createdAt: Number(row.created_at),
    usedAt: row.used_at === null ? null : Number(row.used_at),
    address,
    agent,
  }
}

function toRow(token: StoredToken, hash: string): ApiTokensTable {
  const { id, label, hint, address, agent } = token
  return {
    id,
    user_id: token.userId,
    label,
    hash,
    hint,
    scopes: JSON.stringify(token.scopes),
    folders: JSON.stringify(token.folders.map(toStored)),
    networks: JSON.stringify(token.networks),
    expires_at: token.expiresAt,
    created_at: token.createdAt,
    used_at: token.usedAt,
    address,
    agent,
  }
}
