import { randomBytes } from 'node:crypto'
import type { FilePath } from '../../../shared/path.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'

/** A folder that a token is confined to. */
export interface BoundFolder {
  /** In the user's files, symbolic links resolved. */
  path: FilePath
  /** The same in the served root. */
  canonical: FilePath
  /** Of the folder; `''` until the first use binds it. */
  identity: string
}

/** The same as stored. */
export interface TokenFolder extends BoundFolder {
  hash: string
  token: string
}

/** Bytes of randomness in a row's id. */
const HASH_BYTES = 16

export async function insertFolders(
  db: Db,
  { id: token, userId: user_id }: { id: string; userId: number },
  folders: readonly BoundFolder[],
): Promise<void> {
  for (const { path, canonical, identity } of folders) {
    const hash = randomBytes(HASH_BYTES).toString('base64url')
    const at = { path: toStored(path), place: toStored(canonical), canonical: toStored(canonical) }
    await db
      .insertInto('token_folders')
      .values({ hash, token, user_id, ...at, identity, leaving: 0, suspended: null })
      .execute()
  }
}

/** The folders of some tokens, without those that are in the trash. */
export async function foldersOf(db: Db, tokens: readonly string[]): Promise<TokenFolder[]> {
  if (tokens.length === 0) return []
  const rows = await db
    .selectFrom('token_folders')
    .select(['hash', 'token', 'path', 'canonical', 'identity'])
    .where('token', 'in', [...tokens])
    .where('suspended', 'is', null)
    .orderBy('path')
    .execute()
  return rows.map(({ hash, token, path, canonical, identity }) => ({
    ...{ hash, token, identity },
    path: fromStored(path) as FilePath,
    canonical: fromStored(canonical) as FilePath,
  }))
}

/**
 * Binds a folder that has no identity yet, unless it is being removed.
 * @returns its identity then, also if another request was first; `undefined` where it has none
 */
export async function bindFolder(
  db: Db,
  { hash }: TokenFolder,
  { canonical, identity }: Pick<BoundFolder, 'canonical' | 'identity'>,
): Promise<string | undefined> {
  const place = toStored(canonical)
  await db
    .updateTable('token_folders')
    .set({ identity, place, canonical: place })
    .where('hash', '=', hash)
    .where('identity', '=', '')
    .where('leaving', '=', 0)
    .execute()
  const row = await db.selectFrom('token_folders').select('identity').where('hash', '=', hash).executeTakeFirst()
  return row?.identity || undefined
}
