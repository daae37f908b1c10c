/** Why a webhook was switched off. */
export type WebhookFault = 'gone' | 'failing'

/** What the mail about a job knows. */
export interface JobFacts {
  kind: string
  items: number
  failed: number
  seconds: number
  code: string | null
}

/** What the row of a mail knows besides its receiver. */
export interface Kind {
  /** A name or an address was typed on the sign-in page; `locale` is that of the browser. */
  'password.asked': { name: string; locale: string }
  'password.reset': { locale: string }
  'password.changed': Record<string, never>
  'address.verify': Record<string, never>
  /** A session began somewhere that the account was not used from: the time, the client and its address. */
  'login.newDevice': { at: number; device: string; address: string }
  invitation: { by: string }
  /**
   * How full the home of the user is, or the root or mount `place`, for administrators: `percent` is the threshold that it
   * has reached.
   */
  'quota.warning': { percent: number; used: number; limit: number; place?: string }
  /** A webhook was switched off, for administrators. */
  'webhook.off': { name: string; reason: WebhookFault }
  /** The diagnostics report errors, for administrators: what each is about. */
  'health.red': { errors: readonly string[] }
  /** A mail was given up, for administrators: the words of the mail server. */
  'mail.dead': { reason: string }
  /** A job has ended: of its items, those that failed; the seconds that it took; why it ended early, if it did. */
  'job.failed': JobFacts
  'job.done': JobFacts
  /** A link, for a typed address, with the words of its owner. */
  'share.invite': { text: string }
  /** Another user shares something: its name, and their message, `''` for none. */
  'grant.received': { by: string; name: string; note: string }
  /** What arrived by a file request after a time; `until` once it was sent. */
  'share.uploaded': { from: number; until?: number }
}
export type MailKind = keyof Kind

/** A mail to send. */
export interface NewMail<K extends MailKind = MailKind> {
  kind: K
  /** Null for a typed name. */
  userId: number | null
  /** By default the confirmed address of the user. */
  address?: string
  data: Kind[K]
  about?: string
  /** When it is due; now by default. */
  at?: number
}
