import { type Selectable, sql } from 'kysely'
import { EDIT_RIGHTS, type EditRight, type LinkKind, type Sender } from '../../../shared/api/shares.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { SharesTable } from '../../db/links-schema.ts'
import { inPages, PAGE } from '../../db/paginate.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'

/** A link as it is stored. */
export interface StoredShare {
  hash: string
  userId: number
  /** In the owner's scope; a trailing slash is kept for the API. */
  path: string
  /** Its place in the served root when the link was made. */
  place: FilePath
  /** The same with symbolic links resolved, and names as they are listed. */
  canonical: FilePath
  /** Of the shared object. */
  identity: string
  kind: 'file' | 'folder'
  /** Seconds since the epoch; 0 for no expiry. */
  expire: number
  /** `''` without a password. */
  passwordHash: string
  /** SHA-256 of the token that opens an imported link instead of its password; `''` for none. */
  tokenHash: string
  /** Milliseconds since the epoch. */
  createdAt: number
  /** What visitors do. */
  purpose: LinkKind
  /** Of a link to edit: what they may do if the owner may; in the order of `EDIT_RIGHTS`. */
  rights: readonly EditRight[]
  /** The owner's name for it; `''` for none. */
  label: string
  /** In its address, besides the hash; null for none. */
  slug: string | null
  /** Downloads of all visitors together; null for no limit. */
  maxDownloads: number | null
  /** Milliseconds since the epoch; null while it is open. */
  pausedAt: number | null
  /** Visitors see listings and previews, and download nothing. */
  previewOnly: boolean
  terms: DropTerms
  /** Announced by unfinished uploads of visitors. */
  held: Amount
  /** What arrived. */
  received: Amount
  used: LinkUse
}

/** How a link was used. */
export interface LinkUse {
  views: number
  downloads: number
  /** Milliseconds since the epoch; null for never. */
  last: number | null
}

/** What a link says to its visitors, and what a file request takes; null for no limit. */
export interface DropTerms {
  note: string
  sender: Sender
  /** Bytes of one file. */
  maxFileBytes: number | null
  /** Bytes and number of all. */
  maxBytes: number | null
  maxItems: number | null
}

export interface Amount {
  items: number
  bytes: number
}

/** What links have that visitors only view. */
export const VIEWED: Omit<
  StoredShare,
  ('hash' | 'userId' | 'path' | 'place' | 'canonical' | 'identity' | 'kind') | ('expire' | 'passwordHash' | 'tokenHash')
> = {
  createdAt: 0,
  purpose: 'view',
  rights: [],
  label: '',
  slug: null,
  maxDownloads: null,
  pausedAt: null,
  previewOnly: false,
  terms: { note: '', sender: 'optional', maxFileBytes: null, maxBytes: null, maxItems: null },
  held: { items: 0, bytes: 0 },
  received: { items: 0, bytes: 0 },
  used: { views: 0, downloads: 0, last: null },
}

/** A link with its owner's name. */
export type OwnedShare = StoredShare & { username: string }

/** @returns whether it was stored: not where another link has its name */
export async function insertShare(db: Db, share: StoredShare): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('shares')
    .values({
      hash: share.hash,
      user_id: share.userId,
      path: toStored(share.path),
      place: toStored(share.place),
      canonical: toStored(share.canonical),
      identity: share.identity,
      kind: share.kind,
      leaving: 0,
      expire: share.expire,
      password_hash: share.passwordHash,
      token_hash: share.tokenHash,
      created_at: share.createdAt || Date.now(),
      suspended: null,
      purpose: share.purpose,
      rights: JSON.stringify(share.rights),
      label: share.label,
      slug: share.slug,
      max_downloads: share.maxDownloads,
      paused_at: share.pausedAt,
      preview_only: Number(share.previewOnly),
      ...termColumns(share.terms),
    })
    .onConflict(conflict => conflict.column('slug').where('slug', 'is not', null).doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) > 0
}

const termColumns = ({ note, sender, maxFileBytes, maxBytes, maxItems }: Partial<DropTerms>) => ({
  ...(note !== undefined && { note }),
  ...(sender !== undefined && { sender }),
  ...(maxFileBytes !== undefined && { max_file_bytes: maxFileBytes }),
  ...(maxBytes !== undefined && { max_bytes: maxBytes }),
  ...(maxItems !== undefined && { max_items: maxItems }),
})

export const findShare = (db: Db, hash: string) => findServing(db, 'hash', hash)

/** @param slug folded */
export const findShareByName = (db: Db, slug: string) => findServing(db, 'slug', slug)

async function findServing(db: Db, column: 'hash' | 'slug', value: string): Promise<StoredShare | undefined> {
  const query = db.selectFrom('shares').selectAll().where(column, '=', value).where('suspended', 'is', null)
  const row = await query.executeTakeFirst()
  return row && toShare(row)
}

/** Whether another link has a name, also one that waits in the trash. */
export async function isNameTaken(db: Db, slug: string, hash: string): Promise<boolean> {
  const others = db.selectFrom('shares').select('hash').where('slug', '=', slug).where('hash', '!=', hash)
  return (await others.executeTakeFirst()) !== undefined
}

/** Links of one owner, to one path in their scope, or to one place in the served root. */
export interface ShareFilter {
  userId?: number
  path?: FilePath
  place?: FilePath
}

type OwnedRow = Selectable<SharesTable> & { username: string }

/** By owner, then by expiry. */
export async function listShares(db: Db, { userId, path, place }: ShareFilter): Promise<OwnedShare[]> {
  let query = db
    .selectFrom('shares')
    .innerJoin('users', 'users.id', 'shares.user_id')
    .where('shares.suspended', 'is', null)
  if (userId !== undefined) query = query.where('shares.user_id', '=', userId)
  if (path !== undefined) query = query.where('shares.path', 'in', [path, `${path}/`].map(toStored))
  if (place !== undefined) query = query.where('shares.place', '=', toStored(place))
  const some = query.selectAll('shares').select('users.username').orderBy('shares.hash').limit(PAGE)
  const all = await inPages(
    (last: OwnedRow | undefined) => (last ? some.where('shares.hash', '>', last.hash) : some).execute(),
    row => ({ madeAt: row.created_at, share: { ...toShare(row), username: row.username } }),
  )
  // Many small sorts cost less than one of all.
  const byOwner = [...Map.groupBy(all, ({ share }) => share.userId)].sort(([a], [b]) => a - b)
  return byOwner.flatMap(([, own]) =>
    own.sort((a, b) => a.share.expire - b.share.expire || a.madeAt - b.madeAt).map(({ share }) => share),
  )
}

/** What a change of a link sets; the rest stays as it is in the database, not as it was read. */
export interface ShareUpdate {
  expire?: number | undefined
  /** Along with it the token of an imported link goes. */
  passwordHash?: string | undefined
  label?: string | undefined
  slug?: string | null | undefined
  maxDownloads?: number | null | undefined
  /** The time of a pause stays when it is paused again. */
  paused?: boolean | undefined
  previewOnly?: boolean | undefined
  rights?: readonly EditRight[] | undefined
  terms?: Partial<DropTerms>
}

/**
 * Changes a link that serves and has not expired, in one statement. @param now seconds since the epoch
 * @returns the link as it is then; none if it has ended
 */
export async function updateShare(
  db: Db,
  hash: string,
  { expire, passwordHash, label, slug, maxDownloads, paused, previewOnly, rights, terms = {} }: ShareUpdate,
  now: number,
): Promise<StoredShare | undefined> {
  const row = await db
    .updateTable('shares')
    .set(eb => ({
      expire: expire ?? eb.ref('expire'),
      ...(passwordHash === undefined ? {} : { password_hash: passwordHash, token_hash: '' }),
      ...(label === undefined ? {} : { label }),
      ...(slug === undefined ? {} : { slug }),
      ...(maxDownloads === undefined ? {} : { max_downloads: maxDownloads }),
      ...(paused === undefined ? {} : { paused_at: paused ? eb.fn.coalesce('paused_at', eb.val(now * 1000)) : null }),
      ...(previewOnly === undefined ? {} : { preview_only: Number(previewOnly) }),
      ...(rights === undefined ? {} : { rights: JSON.stringify(rights) }),
      ...termColumns(terms),
    }))
    .where('hash', '=', hash)
    .where('suspended', 'is', null)
    .where(eb => eb.or([eb('expire', '=', 0), eb('expire', '>', now)]))
    .returningAll()
    .executeTakeFirst()
  return row && toShare(row)
}

/** Counts a visit or a download. @param now milliseconds since the epoch */
export async function countVisit(db: Db, hash: string, what: 'views' | 'downloads', now: number): Promise<void> {
  await db
    .updateTable('shares')
    .set(eb => ({ [what]: eb(what, '+', 1), last_used_at: now }))
    .where('hash', '=', hash)
    .execute()
}

/**
 * Counts a download within the limit of its link; one statement decides, so that no number of requests at once exceeds
 * it. @param now milliseconds since the epoch @returns whether there was one left
 */
export async function takeDownload(db: Db, hash: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('shares')
    .set(eb => ({ downloads: eb('downloads', '+', 1), last_used_at: now }))
    .where('hash', '=', hash)
    .where(sql<boolean>`(max_downloads is null or downloads < max_downloads)`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Gives back a download of which nothing was sent. */
export async function returnDownload(db: Db, hash: string): Promise<void> {
  await db
    .updateTable('shares')
    .set(eb => ({ downloads: eb('downloads', '-', 1) }))
    .where('hash', '=', hash)
    .execute()
}

export async function deleteShare(db: Db, hash: string): Promise<void> {
  await db.deleteFrom('shares').where('hash', '=', hash).execute()
}

/** @param now seconds since the epoch */
export async function deleteExpiredShares(db: Db, now: number): Promise<void> {
  await db.deleteFrom('shares').where('expire', '>', 0).where('expire', '<=', now).execute()
}

function toShare(row: Selectable<SharesTable>): StoredShare {
  return {
    hash: row.hash,
    userId: row.user_id,
    path: fromStored(row.path),
    place: fromStored(row.place) as FilePath,
    canonical: fromStored(row.canonical) as FilePath,
    identity: row.identity,
    kind: row.kind,
    expire: Number(row.expire),
    passwordHash: row.password_hash,
    tokenHash: row.token_hash,
    createdAt: Number(row.created_at),
    purpose: row.purpose,
    rights: inOrder(JSON.parse(row.rights)),
    label: row.label,
    slug: row.slug,
    maxDownloads: numberOf(row.max_downloads),
    pausedAt: numberOf(row.paused_at),
    previewOnly: row.preview_only === 1,
    terms: {
      note: row.note,
      sender: row.sender,
      maxFileBytes: numberOf(row.max_file_bytes),
      maxBytes: numberOf(row.max_bytes),
      maxItems: numberOf(row.max_items),
    },
    held: { items: Number(row.held_items), bytes: Number(row.held_bytes) },
    received: { items: Number(row.received_items), bytes: Number(row.received_bytes) },
    used: { views: Number(row.views), downloads: Number(row.downloads), last: numberOf(row.last_used_at) },
  }
}

/** Rights without repetitions, in the order of the API. */
export const inOrder = (rights: readonly EditRight[]): EditRight[] =>
  EDIT_RIGHTS.filter(right => rights.includes(right))

/** PostgreSQL answers large integers as texts. */
const numberOf = (value: number | string | null): number | null => (value === null ? null : Number(value))
