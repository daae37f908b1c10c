import type { AuditRow } from '../../../shared/api/audit.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { AuditFilter } from '../../audit/audit.store.ts'
import type { Db } from '../../db/schema.ts'
import { baseAt } from '../../files/base.ts'
import type { Files } from '../../files/files.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import type { ActingUser } from '../groups/acting-user.ts'
import { toWire } from '../users/accounts.ts'

/** Where what is stored of a user comes from. */
export interface AccountDeps {
  db: Db
  audit: { find(filter: AuditFilter, limit: number): Promise<{ rows: AuditRow[]; more: boolean }> }
  shares: { of(userId: number): Promise<readonly Link[]> }
  grants: {
    list(user: ActingUser): Promise<readonly Grant[]>
    received(user: ActingUser): Promise<{ items: readonly Received[] }>
  }
  tokens: { list(userId: number): Promise<readonly Token[]> }
}

interface Link {
  path: string
  hash: string
  purpose: string
  label: string
  createdAt: number
  /** Seconds since the epoch; 0 for no expiry. */
  expire: number
  passwordHash: string
}

interface Grant {
  path: string
  toName: string
  rights: readonly string[]
  note: string
  createdAt: number
  expiresAt: number | null
}

interface Received {
  path: string
  owner: { username: string }
  rights: readonly string[]
}

interface Token {
  label: string
  scopes: readonly string[]
  createdAt: number
  expiresAt: number | null
}

/** Rows of the audit log that are read at a time. */
const PAGE = 500
/** The most rows of the log, and items of a tag. */
const MOST = 10_000

/** What is stored of a user, without passwords, secrets, rules and the files. */
export async function accountOf(deps: AccountDeps, user: ActingUser, own: Files | undefined) {
  const { shares, grants, tokens } = deps
  // Rules may name hidden paths, and the scope is a place of the server.
  const { password: _, rules: __, scope: ___, ...settings } = toWire({ ...user, ...user.own })
  const [links, given, received] = [await shares.of(user.id), await grants.list(user), await grants.received(user)]
  return {
    ...{ format: 'filigree-account', version: 1, made: new Date().toISOString() },
    user: { ...settings, home: user.hasHome ? 'scope' : 'none', disabled: user.isDisabled },
    quota: user.quota,
    groups: user.groups.map(({ id, name, sources, expiresAt }) => ({ id, name, sources, expires: timeOf(expiresAt) })),
    mounts: (user.mounts ?? []).map(({ name, root, rights }) => ({ name, root, rights })),
    links: links.map(linkOf),
    shared: given.map(({ path, toName: to, rights, note, createdAt, expiresAt }) => ({
      ...{ path, to, rights, note, created: timeOf(createdAt), expires: timeOf(expiresAt) },
    })),
    received: received.items.map(({ path, owner, rights }) => ({ path, owner: owner.username, rights })),
    tokens: (await tokens.list(user.id)).map(({ label, scopes, createdAt, expiresAt }) => ({
      ...{ label, scopes, created: timeOf(createdAt), expires: timeOf(expiresAt) },
    })),
    stars: own ? (await own.stars.list()).map(({ path }) => path) : [],
    tags: own ? await tagsOf(own) : [],
    comments: own ? await commentsOf(own) : [],
    files: own ? 'files/' : null,
  }
}

const linkOf = ({ path, hash, purpose: kind, label, createdAt, expire, passwordHash }: Link) => ({
  ...{ path, hash, kind, label, hasPassword: passwordHash !== '' },
  ...{ created: timeOf(createdAt), expires: expire === 0 ? null : timeOf(expire * 1000) },
})

async function commentsOf({ remarks }: Files) {
  const all = await remarks.own(MOST)
  return all.map(({ path, text, at }) => ({ path, text, created: timeOf(at) }))
}

async function tagsOf({ tags }: Files) {
  const all: { name: string; colour: string; items: FilePath[] }[] = []
  for (const { id, name, colour, shared } of await tags.list()) {
    if (shared) continue
    const items: FilePath[] = []
    let page = await tags.itemsWith(id)
    items.push(...page.items.map(({ path }) => path))
    while (page.next !== undefined && items.length < MOST) {
      page = await tags.itemsWith(id, page.next)
      items.push(...page.items.map(({ path }) => path))
    }
    all.push({ name, colour, items })
  }
  return all
}

/**
 * What the audit log has of a user, one JSON row a line, the newest first; at most so many that they fit into the memory.
 * Paths are those that the user sees. A former account of the name is another one.
 */
export async function activityOf({ audit }: AccountDeps, { id, username, scope }: ActingUser): Promise<string> {
  const lines: string[] = []
  const { pathOf } = baseAt(scopeFolder(scope))
  let before: number | undefined
  while (lines.length < MOST) {
    const { rows, more } = await audit.find({ username, ...(before !== undefined && { before }) }, PAGE)
    for (const { userID, time, action, outcome, way, address, path } of rows) {
      if (userID !== id) continue
      const seen = path.startsWith('//') || path === '' ? undefined : pathOf(path as FilePath)
      lines.push(JSON.stringify({ time, action, outcome, way, address, ...(seen !== undefined && { path: seen }) }))
    }
    before = rows.at(-1)?.id
    if (!more || before === undefined) break
  }
  return lines.map(line => `${line}\n`).join('')
}

const timeOf = (time: number | null) => (time === null ? null : new Date(time).toISOString())
