import type { TokenScope } from '../../../shared/api/tokens.ts'
import type { ApiTokensTable } from '../../db/api-tokens-schema.ts'
import type { Db } from '../../db/schema.ts'
import { type StoredUser, toUser } from '../users/users.store.ts'
import { type BoundFolder, insertFolders } from './token-folders.store.ts'

/** A token as stored, without its hash. */
export interface StoredToken {
  id: string
  userId: number
  label: string
  hint: string
  scopes: readonly TokenScope[]
  /** It reaches only folders, see `token-folders.store.ts`: none once these are gone. */
  isConfined: boolean
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

/** @param folders what the token is confined to; empty for all files */
export async function insertToken(
  db: Db,
  token: Omit<StoredToken, 'isConfined'>,
  { hash, folders }: { hash: string; folders: readonly BoundFolder[] },
): Promise<StoredToken> {
  const stored = { ...token, isConfined: folders.length > 0 }
  await db.transaction().execute(async transaction => {
    await transaction.insertInto('api_tokens').values(toRow(stored, hash)).execute()
    await insertFolders(transaction, token, folders)
  })
  return stored
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
  'confined',
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
  return {
    id,
    userId: row.user_id,
    label,
    hint,
    scopes: JSON.parse(row.scopes),
    isConfined: row.confined === 1,
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
    confined: token.isConfined ? 1 : 0,
    networks: JSON.stringify(token.networks),
    expires_at: token.expiresAt,
    created_at: token.createdAt,
    used_at: token.usedAt,
    address,
    agent,
  }
}
