import * as z from 'zod/mini'
import { NOTICE_KINDS } from '../notice-kinds.ts'
import { Time } from './time.ts'

/** Where sending a mail failed; `''` when it was sent. */
export const MAIL_STEPS = ['name', 'connection', 'tls', 'login', 'receiver', 'message'] as const
export type MailStep = (typeof MAIL_STEPS)[number]

const Address = z.string().check(z.maxLength(320))

/** A mail that was given up. */
export const DeadMail = z.object({
  kind: z.string(),
  /** When it was given up. */
  time: Time,
  /** The words of the mail server. */
  reason: z.string(),
})

/** Response of `GET /api/mail`. */
export const MailState = z.object({
  /** Whether the host has a mail server; without one, the rest is empty. */
  on: z.boolean(),
  /** Host and port. */
  server: z.string(),
  from: z.string(),
  /** Mails that wait, and that were given up. */
  waiting: z.int(),
  dead: z.int(),
  /** The last of those, the newest first. */
  failed: z.array(DeadMail),
})
export type MailState = z.infer<typeof MailState>

/** Body of `POST /api/mail/test`. */
export const MailTestRequest = z.object({ address: Address })
export type MailTestRequest = z.infer<typeof MailTestRequest>

/** Response of `POST /api/mail/test`. */
export const MailTest = z.object({
  /** Where it failed; `''` if the mail server took the mail. */
  step: z.enum(['', ...MAIL_STEPS]),
  /** The words of the mail server, or why it could not be asked. */
  answer: z.string(),
  ms: z.int(),
})
export type MailTest = z.infer<typeof MailTest>

/** Response of `GET /api/account/mail`. */
export const AccountMail = z.object({
  /** The confirmed address, `''` if there is none. */
  address: z.string(),
  /** The address that waits to be confirmed. */
  pending: z.string(),
  /** Whether any mails are wanted that can be switched off. */
  notices: z.boolean(),
  /** Of these, the kinds that are not wanted. */
  off: z.array(z.enum(NOTICE_KINDS)),
})
export type AccountMail = z.infer<typeof AccountMail>

/** Body of `PUT /api/account/mail`. */
export const AccountMailRequest = z.object({
  /** The new address, `''` for none; the same one again sends another link. */
  address: z.optional(Address),
  notices: z.optional(z.boolean()),
  /** The kinds that are not wanted, all of them. */
  off: z.optional(z.array(z.enum(NOTICE_KINDS)).check(z.maxLength(NOTICE_KINDS.length))),
  /** Needed for an address. */
  current_password: z.nullish(z.string()),
})
export type AccountMailRequest = z.infer<typeof AccountMailRequest>

/** Maximum receivers of a link by mail, and characters of the words with it. */
const MAX_RECEIVERS = 20
const MAX_WORDS = 500

/** Body of `POST /api/links/{hash}/invitations`. */
export const ShareInvitations = z.object({
  addresses: z.array(Address).check(z.minLength(1), z.maxLength(MAX_RECEIVERS)),
  /** Plain text. */
  text: z._default(z.string().check(z.maxLength(MAX_WORDS)), ''),
})
export type ShareInvitations = z.infer<typeof ShareInvitations>

/** Body of `POST /api/password-reset`. */
export const ResetRequest = z.object({
  /** The name or the confirmed address of an account. */
  name: z.string().check(z.minLength(1), z.maxLength(320)),
})
export type ResetRequest = z.infer<typeof ResetRequest>

const Secret = z.string().check(z.maxLength(100))

/** Body of `POST /api/mail-links/look`. */
export const LinkLook = z.object({ link: Secret })
export type LinkLook = z.infer<typeof LinkLook>

/** Response of `POST /api/mail-links/look`. */
export const LinkInfo = z.object({
  purpose: z.enum(['reset', 'verify', 'invitation']),
  /** Name of the account. */
  username: z.string(),
  address: z.string(),
  /** Bytes that a password must have. */
  minimumPasswordLength: z.int(),
})
export type LinkInfo = z.infer<typeof LinkInfo>

/** Body of `POST /api/mail-links/use`. */
export const LinkUse = z.object({
  link: Secret,
  /** For links that set one. */
  password: z.optional(z.string()),
})
export type LinkUse = z.infer<typeof LinkUse>

/** Body of `POST /api/users/{id}/one-time-link`. */
export const OneTimeLinkRequest = z.nullish(
  z.object({ current_password: z.nullish(z.string().check(z.maxLength(1024))) }),
)
export type OneTimeLinkRequest = z.infer<typeof OneTimeLinkRequest>

/** Response of `POST /api/users/{id}/one-time-link`. */
export const OneTimeLink = z.object({
  /** Where the user sets a new password; no other response contains it. */
  url: z.string(),
  expires: Time,
})
export type OneTimeLink = z.infer<typeof OneTimeLink>

/** Body of `POST /api/users/{id}/invitation`. */
export const InvitationRequest = z.object({ address: Address, current_password: z.nullish(z.string()) })
export type InvitationRequest = z.infer<typeof InvitationRequest>
