import { createHash } from 'node:crypto'
import type { DeliveredRow } from '../../audit/audit.store.ts'
import { fromStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'
import type { WebhookEvent } from './events.ts'
import type { Occurrence } from './viewer.ts'
import { earlierDeliveries, lockedUntil, moveQuiet, replaceQuiet, type StoredDelivery } from './webhooks.store.ts'

/** What is quiet: the content of a file that a program has locked, and what repeats within a moment. */
const CONTENT: ReadonlySet<string> = new Set(['file.uploaded', 'file.saved'])

/** What an event is about, for the search of equal ones; null for what has no path. */
export function subjectOf({ type, data: { user, path, from = '' } }: WebhookEvent): string | null {
  if (path === undefined) return null
  return CONTENT.has(type) ? contentAt(path) : digestOf([type, user, path, from])
}

const contentAt = (place: string): string => digestOf(['content', place])
const digestOf = (parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

/**
 * Lets the events of a file wait longer that a program locks, and sends them when it is unlocked.
 * @returns whether some are due now
 */
export async function noteLocks(transaction: Db, rows: readonly DeliveredRow[], now: number): Promise<boolean> {
  let isDue = false
  for (const { action, outcome, path } of rows) {
    if (outcome !== 'done' || path === '') continue
    const subject = contentAt(fromStored(path))
    if (action === 'lock') await moveQuiet(transaction, subject, { now, until: now + LIMITS.webhookHold })
    if (action === 'unlock' || action === 'lock.break') {
      isDue = (await moveQuiet(transaction, subject, { now, until: now })) || isDue
    }
  }
  return isDue
}

/** What webhooks were sent, or will be, about the same as an occurrence. */
export interface Earlier {
  of(webhook: string): StoredDelivery | undefined
  /** Until when the event waits for more about the same file; `undefined` for one that does not. */
  held: number | undefined
}

const NOTHING: Earlier = { of: () => undefined, held: undefined }

/** Reads it, on the connection of the transaction. */
export async function earlierThan(transaction: Db, { event, subject }: Occurrence, now: number): Promise<Earlier> {
  if (!subject) return NOTHING
  const rows = await earlierDeliveries(transaction, subject, now - LIMITS.webhookHold)
  const last = new Map(rows.map(row => [row.webhook_id, row]))
  return { of: webhook => last.get(webhook), held: await holdOf(transaction, event, now) }
}

/** Programs lock a file and write it empty before they write it; others write it empty before they lock it. */
async function holdOf(transaction: Db, { type, data }: WebhookEvent, now: number): Promise<number | undefined> {
  if (!CONTENT.has(type) || data.path === undefined) return undefined
  const lock = await lockedUntil(transaction, data.path, now)
  if (lock !== undefined) return Math.min(lock, now + LIMITS.webhookHold)
  return data.size === 0 ? now + LIMITS.webhookQuiet : undefined
}

/** Whether an event waits still, so that another of its user about the same can take its place. */
function isQuiet(row: StoredDelivery | undefined, event: WebhookEvent, now: number): row is StoredDelivery {
  if (row?.state !== 'waiting' || row.quiet_until !== row.next_at || row.next_at <= now) return false
  return (JSON.parse(row.body) as WebhookEvent).data.user === event.data.user
}

/** The type under which an event would be sent: that of the one whose place it takes. */
export const typeAfter = (earlier: StoredDelivery | undefined, event: WebhookEvent, now: number): string =>
  isQuiet(earlier, event, now) ? earlier.type : event.type

/** Puts an event in the place of one that waits. @returns whether there was one that no try has begun of */
export async function merged(
  transaction: Db,
  earlier: StoredDelivery | undefined,
  { event, scope, now }: { event: WebhookEvent; scope: string | null; now: number },
): Promise<boolean> {
  if (!isQuiet(earlier, event, now)) return false
  const before = JSON.parse(earlier.body) as WebhookEvent
  const { replaced } = before.data
  const data = { ...event.data, ...(replaced !== undefined && { replaced }) }
  const body = JSON.stringify({ ...event, type: before.type, data })
  return replaceQuiet(transaction, earlier, { body, scope })
}

/** Until when a new event waits; `undefined` to send it at once. */
export function quietUntil(
  { held }: Earlier,
  earlier: StoredDelivery | undefined,
  { event, now }: { event: WebhookEvent; now: number },
): number | undefined {
  if (held !== undefined) return held
  const isRepeated = earlier?.type === event.type && earlier.created_at > now - LIMITS.webhookQuiet
  return isRepeated ? earlier.created_at + LIMITS.webhookQuiet : undefined
}
