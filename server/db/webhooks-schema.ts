import type { Generated } from 'kysely'

export interface WebhookTables {
  webhooks: WebhooksTable
  webhook_deliveries: WebhookDeliveriesTable
}

/** Addresses that are notified of events. */
export interface WebhooksTable {
  id: string
  /** The user whose it is; null for one of the administrators. */
  user_id: number | null
  name: string
  url: string
  /** `whsec_` and 32 random bytes in base64. */
  secret: string
  /** The secret before the last change, which signs, too, until `old_until`. */
  old_secret: string | null
  old_until: number | null
  /** `WebhookType[]` as JSON; empty for all but reads. */
  types: string
  /** In the served root, stored as `paths.ts` says; `''` for all. */
  folder: string
  /** Of names; `''` for all. */
  pattern: Generated<string>
  enabled: number
  off_reason: string
  failing_since: number | null
  last_delivery: number | null
  /** Events that found too many waiting. */
  dropped: Generated<number>
  created_at: number
}

/** Events on their way. Written in the transaction of their row in the audit log. */
export interface WebhookDeliveriesTable {
  /** `msg_` and 128 random bits. */
  id: string
  webhook_id: string
  type: string
  body: string
  /** The scope that the paths of the body are in, stored as `paths.ts` says; null for a webhook of the administrators. */
  scope: string | null
  /** `waiting`, `sent` or `dead`. */
  state: string
  tries: Generated<number>
  /** When it is due; a try under way has moved it on, so that another follows if its process dies. */
  next_at: number
  /** Digest of what it is about, by which events within a short time become one; null for none. */
  subject: string | null
  /** While this equals `next_at`, it waits for more about the same, and no try has begun; null for none. */
  quiet_until: number | null
  last_status: number | null
  last_reason: Generated<string>
  last_answer: Generated<string>
  last_ms: number | null
  created_at: number
  ended_at: number | null
}
