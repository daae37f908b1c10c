import * as z from 'zod/mini'
import { Time } from './time.ts'

/** Who may have webhooks. */
export const WEBHOOK_MODES = ['off', 'admins', 'users'] as const
export type WebhookMode = (typeof WEBHOOK_MODES)[number]

/** The types of events, grouped as the interface shows them. To add one, add a text `webhooks.type.…`. */
export const WEBHOOK_TYPES = [
  'file.uploaded',
  'file.saved',
  'file.downloaded',
  'folder.created',
  'item.copied',
  'item.moved',
  'item.deleted',
  'item.restored',
  'archive.packed',
  'archive.extracted',
  'share.created',
  'share.removed',
  'share.opened',
  'share.uploaded',
  'login.succeeded',
  'login.blocked',
  'login.newDevice',
  'user.created',
  'user.changed',
  'user.removed',
  'settings.changed',
  'job.finished',
  'quota.warning',
] as const
export type WebhookType = (typeof WEBHOOK_TYPES)[number]

/** Types that only a webhook that names them gets: reads are many, and an upload by a link is also `file.uploaded`. */
export const NOT_IN_ALL: ReadonlySet<WebhookType> = new Set(['file.downloaded', 'share.opened', 'share.uploaded'])

/** Types that only administrators hear of. */
export const NOT_FOR_USERS: ReadonlySet<WebhookType> = new Set([
  'share.opened',
  'login.blocked',
  'user.created',
  'user.changed',
  'user.removed',
  'settings.changed',
])

/** Types that a user hears of only where they did it themselves. */
export const OWN_ONLY: ReadonlySet<WebhookType> = new Set([
  'file.downloaded',
  'share.created',
  'share.removed',
  'login.succeeded',
  'login.newDevice',
  'job.finished',
  'quota.warning',
])

/** Maximum characters of a name, a pattern, and an address or folder. */
export const MAX_WEBHOOK_NAME = 64
export const MAX_WEBHOOK_PATTERN = 255
const MAX_TEXT = 2048

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_WEBHOOK_NAME))

/** Body of `POST /api/webhooks` and `PUT /api/webhooks/{id}`. */
export const WebhookRequest = z.object({
  name,
  /** HTTPS on the Internet, or an address in a network that the host permits. */
  url: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_TEXT)),
  /** Empty for all except downloads, opened links and the second event of uploads by links. */
  types: z._default(z.array(z.enum(WEBHOOK_TYPES)).check(z.maxLength(WEBHOOK_TYPES.length)), []),
  /** Only events in this folder and below; `''` for all. In the served root; of a user’s own webhook, in the scope. */
  folder: z._default(z.string().check(z.maxLength(MAX_TEXT)), ''),
  /** Only files and folders with such a name: `*` is any text, `?` any one character; `''` for all. */
  pattern: z._default(z.string().check(z.trim(), z.maxLength(MAX_WEBHOOK_PATTERN)), ''),
  enabled: z._default(z.boolean(), true),
})
export type WebhookRequest = z.infer<typeof WebhookRequest>

/** A webhook, without its secret. Times are ISO 8601. */
export const Webhook = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  types: z.array(z.enum(WEBHOOK_TYPES)),
  folder: z.string(),
  pattern: z.string(),
  enabled: z.boolean(),
  /** Why the server has switched it off: its receiver is `gone` (410), or `failing` for days; `''` otherwise. */
  offReason: z.enum(['', 'gone', 'failing']),
  created: Time,
  /** The last delivery that ended; null before the first. */
  lastDelivery: z.nullable(Time),
  /** Since when every try fails; null while it works. */
  failingSince: z.nullable(Time),
  /** Events that wait for it, that were given up and can be sent again, and that found too many waiting. */
  waiting: z.int(),
  dead: z.int(),
  dropped: z.int(),
})
export type Webhook = z.infer<typeof Webhook>

/** Response of `GET /api/webhooks`. */
export const WebhookList = z.object({
  /** Whether the host permits the caller webhooks. */
  permitted: z.boolean(),
  /** Private networks that the host permits as targets. */
  networks: z.array(z.string()),
  webhooks: z.array(Webhook),
})
export type WebhookList = z.infer<typeof WebhookList>

/** Response of `POST /api/webhooks` and `POST /api/webhooks/{id}/secret`. */
export const WebhookSecret = z.object({ id: z.string(), secret: z.string() })
export type WebhookSecret = z.infer<typeof WebhookSecret>

export const DELIVERY_STATES = ['waiting', 'sent', 'dead'] as const

/** One event on its way to a webhook. */
export const Delivery = z.object({
  /** The header `webhook-id`, the same in every try. */
  id: z.string(),
  type: z.string(),
  state: z.enum(DELIVERY_STATES),
  tries: z.int(),
  created: Time,
  /** The next try; null once it has ended. */
  next: z.nullable(Time),
  ended: z.nullable(Time),
  /** Status of the last response; null where there was none. */
  status: z.nullable(z.int()),
  /** Why there was no response; `''` otherwise. */
  reason: z.string(),
  /** The beginning of the last response. */
  answer: z.string(),
  /** Milliseconds of the last try. */
  ms: z.nullable(z.int()),
  /** The body, as it is sent. */
  body: z.string(),
})
export type Delivery = z.infer<typeof Delivery>

/** Response of `GET /api/webhooks/{id}/deliveries`. */
export const DeliveryPage = z.object({ deliveries: z.array(Delivery), more: z.boolean() })
export type DeliveryPage = z.infer<typeof DeliveryPage>

/** Response of `POST /api/webhooks/{id}/test`. */
export const WebhookTest = z.object({
  status: z.nullable(z.int()),
  reason: z.string(),
  answer: z.string(),
  ms: z.int(),
})
export type WebhookTest = z.infer<typeof WebhookTest>
