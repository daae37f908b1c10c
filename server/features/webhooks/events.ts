import type { AuditAction } from '../../../shared/api/audit.ts'
import { NOT_IN_ALL, type WebhookType } from '../../../shared/api/webhooks.ts'
import type { NewAuditRow } from '../../audit/audit.store.ts'
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
    /** The client of a sign-in. */
    address?: string
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

/** The event of a row of the audit log; `undefined` for one that is no event. Refusals are none, but for sign-ins. */
export function eventOf(row: NewAuditRow): WebhookEvent | undefined {
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
  return { type, timestamp: new Date(row.at).toISOString(), data }
}

function typeOf({ action, outcome }: NewAuditRow): WebhookType | undefined {
  if (action === 'login') {
    if (outcome === 'done') return 'login.succeeded'
    return outcome === 'too_many_attempts' ? 'login.blocked' : undefined
  }
  return outcome === 'done' ? TYPES[action as AuditAction] : undefined
}

/** Whether a webhook wants an event. @param folder `''` for all */
export function wants({ types, folder }: { types: readonly string[]; folder: string }, event: WebhookEvent): boolean {
  if (types.length === 0 ? NOT_IN_ALL.has(event.type) : !types.includes(event.type)) return false
  if (folder === '' || folder === '/') return true
  const inside = (path: string | undefined) => path === folder || path?.startsWith(`${folder}/`) === true
  return inside(event.data.path) || inside(event.data.from)
}
