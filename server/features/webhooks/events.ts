import type { AuditAction } from '../../../shared/api/audit.ts'
import { NOT_IN_ALL, type WebhookType } from '../../../shared/api/webhooks.ts'
import type { EventFacts } from '../../../shared/event-facts.ts'
import type { DeliveredRow } from '../../audit/audit.store.ts'
import { withoutToken } from '../../audit/audit.ts'
import { fromStored } from '../../db/paths.ts'

/** What webhooks receive. `item.moved` and `item.copied` have `from`, where an item was. */
export interface WebhookEvent {
  type: WebhookType
  /** ISO 8601. */
  timestamp: string
  data: {
    /** Name of the user; `''` where there was none. */
    user: string
    /** As in the audit log. */
    via: string
    /** In the served root. */
    path?: string
    from?: string
    /** The account that was changed. */
    account?: string
    /** The client of a sign-in, its browser and system. */
    address?: string
    agent?: string
    /** The first characters of the name of a link. */
    link?: string
    /** Bytes of the file that was written, and whether it replaced one. */
    size?: number
    replaced?: boolean
    /** Whether a folder was copied, moved or deleted, and whether what was deleted is in the trash. */
    folder?: boolean
    trashed?: boolean
    /** The names of what was changed in an account or in the settings. */
    fields?: readonly string[]
    /** Of a job: what it did, how it ended, its items, those that failed, and the seconds it took. */
    kind?: string
    state?: string
    items?: number
    failed?: number
    seconds?: number
    /** Of the quota of a root or mount: its name. */
    place?: string
    /** Of a quota: the share of it that is reached, and bytes. */
    percent?: number
    used?: number
    limit?: number
  }
}

const TYPES: Partial<Record<AuditAction, WebhookType>> = {
  upload: 'file.uploaded',
  save: 'file.saved',
  download: 'file.downloaded',
  folder: 'folder.created',
  copy: 'item.copied',
  move: 'item.moved',
  delete: 'item.deleted',
  'trash.restore': 'item.restored',
  archive: 'archive.packed',
  extract: 'archive.extracted',
  'share.add': 'share.created',
  'share.remove': 'share.removed',
  'share.open': 'share.opened',
  'user.add': 'user.created',
  'user.change': 'user.changed',
  'user.remove': 'user.removed',
  'settings.change': 'settings.changed',
}

/**
 * The events of a row of the audit log: an upload by a link is two. Refusals are none, but for sign-ins, and neither are the last
 * items of a large job.
 */
export function eventsOf(row: DeliveredRow): WebhookEvent[] {
  const event = row.facts?.isBeyond ? undefined : eventOf(row)
  if (event === undefined) return []
  if (row.way !== 'share' || event.type !== 'file.uploaded') return [event]
  const data = { ...event.data, ...factsFor('share.uploaded', row) }
  return [event, { ...event, type: 'share.uploaded', data }]
}

function eventOf(row: DeliveredRow): WebhookEvent | undefined {
  const type = typeOf(row)
  if (type === undefined) return undefined
  const [path, target] = [row.path, withoutToken(row.target)].map(stored => (stored === '' ? '' : fromStored(stored)))
  const data: WebhookEvent['data'] = { user: row.username, via: row.way }
  const hasAim = type === 'item.copied' || type === 'item.moved'
  const place = hasAim ? target : path
  if (place?.startsWith('/')) data.path = place
  if (hasAim && path) data.from = path
  if (type.startsWith('user.') && target) data.account = target
  if (type.startsWith('login.')) data.address = row.address
  return { type, timestamp: new Date(row.at).toISOString(), data: { ...data, ...factsFor(type, row) } }
}

/** What a type has of the facts. */
const FACTS: Partial<Record<WebhookType, readonly (keyof EventFacts)[]>> = {
  'file.uploaded': ['size', 'replaced'],
  'share.uploaded': ['size', 'replaced', 'link'],
  'file.saved': ['size'],
  'item.copied': ['folder'],
  'item.moved': ['folder'],
  'item.restored': ['folder'],
  'item.deleted': ['folder', 'trashed'],
  'share.created': ['link'],
  'share.removed': ['link'],
  'share.opened': ['link'],
  'login.succeeded': ['agent'],
  'login.blocked': ['agent'],
  'user.changed': ['fields'],
}

function factsFor(type: WebhookType, { facts = {}, target }: DeliveredRow): Partial<WebhookEvent['data']> {
  if (type === 'settings.changed') return { fields: fieldsIn(withoutToken(target)) }
  const known = (FACTS[type] ?? []).filter(name => facts[name] !== undefined)
  return Object.fromEntries(known.map(name => [name, facts[name]]))
}

/** The names in the target of a change of settings, without values. */
const fieldsIn = (target: string): string[] =>
  target
    .split(', ')
    .map(part => part.split('=')[0] ?? '')
    .filter(name => name !== '')

export interface EndedJob {
  username: string
  kind: string
  state: string
  origin: string
  started_at: number | null
  ended_at: number | null
  items: number
  failed: number
}

/** The event of a job that has ended. */
export function eventOfJob({
  username,
  kind,
  state,
  origin,
  started_at,
  ended_at,
  items,
  failed,
}: EndedJob): WebhookEvent {
  const end = ended_at ?? 0
  const seconds = Math.round((end - (started_at ?? end)) / 1000)
  const { way = 'session' } = JSON.parse(origin) as { way?: string }
  const data = { user: username, via: way, kind, state, items, failed, seconds }
  return { type: 'job.finished', timestamp: new Date(end).toISOString(), data }
}

/** A user whose home has reached a share of its quota, or a root or mount that has. */
export interface QuotaWarning {
  /** 0 for a root or mount. */
  userId: number
  username: string
  /** The name of the root or mount. */
  place?: string
  percent: number
  used: number
  limit: number
}

/** The event of a quota that is nearly used up. Its user is the one who has the quota, `''` for a root or mount. */
export const eventOfQuota = (
  { username: user, place, percent, used, limit }: QuotaWarning,
  at: number,
): WebhookEvent => ({
  type: 'quota.warning',
  timestamp: new Date(at).toISOString(),
  data: { user, via: 'server', ...(place !== undefined && { place }), percent, used, limit },
})

/** A sign-in from a browser or network that is new for the account. */
export interface NewDevice {
  userId: number
  username: string
  /** Browser and system. */
  agent: string
  address: string
  /** Milliseconds since the epoch. */
  at: number
}

/** The event of a sign-in from elsewhere. */
export const eventOfDevice = ({ username: user, agent, address, at }: NewDevice): WebhookEvent => ({
  type: 'login.newDevice',
  timestamp: new Date(at).toISOString(),
  data: { user, via: 'session', address, agent },
})

function typeOf({ action, outcome, facts }: DeliveredRow): WebhookType | undefined {
  if (action === 'login') {
    if (outcome === 'done') return 'login.succeeded'
    return outcome === 'too_many_attempts' ? 'login.blocked' : undefined
  }
  // An item that did not go to the trash; what leaves the trash was deleted before.
  if (action === 'purge' && outcome === 'done' && facts?.trashed === false) return 'item.deleted'
  return outcome === 'done' ? TYPES[action as AuditAction] : undefined
}

/** What a webhook is about; `''` for every folder, and every name. */
export interface Choice {
  types: readonly string[]
  folder: string
  pattern: string
}

/** Whether a webhook wants an event. */
export function wants({ types, folder, pattern }: Choice, event: WebhookEvent): boolean {
  if (types.length === 0 ? NOT_IN_ALL.has(event.type) : !types.includes(event.type)) return false
  const inside = (path: string) => folder === '' || folder === '/' || path === folder || path.startsWith(`${folder}/`)
  const named = (path: string) => pattern === '' || matchesName(pattern, path.slice(path.lastIndexOf('/') + 1))
  if ((folder === '' || folder === '/') && pattern === '') return true
  return [event.data.path, event.data.from].some(path => path !== undefined && inside(path) && named(path))
}

/** Whether a name matches a pattern: `*` is any text, `?` any one character; in any letter case. */
export function matchesName(pattern: string, name: string): boolean {
  const [wanted, given] = [[...pattern.toLowerCase()], [...name.toLowerCase()]]
  let [at, star, from] = [0, -1, 0]
  for (let index = 0; index < given.length; ) {
    if (wanted[at] === '*') [star, from, at] = [at, index, at + 1]
    else if (wanted[at] === '?' || wanted[at] === given[index]) [at, index] = [at + 1, index + 1]
    // The last `*` takes one character more.
    else if (star >= 0) [from, at, index] = [from + 1, star + 1, from + 1]
    else return false
  }
  return wanted.slice(at).every(sign => sign === '*')
}
