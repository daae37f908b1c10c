import * as z from 'zod/mini'
import { PasskeyAssertion, PasskeyInfo } from './passkeys.ts'
import { Time } from './time.ts'

/** A browser in which a user signs in without the second factor. */
export const KnownDevice = z.object({
  id: z.string(),
  /** `User-Agent`. */
  agent: z.string(),
  /** Client address of the last sign-in. */
  address: z.string(),
  used: Time,
  expires: Time,
})
export type KnownDevice = z.infer<typeof KnownDevice>

/** Response of `GET /api/account/factors` (http-api 30). */
export const FactorStatus = z.object({
  /** Since when an authenticator app is asked for; ISO 8601, null if it is not. */
  totp: z.nullable(Time),
  /** Unused recovery codes. */
  recoveryCodes: z.int(),
  /** The oldest first. */
  passkeys: z.array(PasskeyInfo),
  /** Until when the user, who has no factor, must set one up; null without such a duty, or if a provider fulfils it. */
  due: z.nullable(Time),
  /** Since when the password is the same; null if that is not known. */
  password: z.nullable(Time),
  /** Whether a password is checked here; that of a directory is not. */
  hasPassword: z.boolean(),
  /** Remembered browsers, most recently used first. */
  devices: z.array(KnownDevice),
})
export type FactorStatus = z.infer<typeof FactorStatus>

/** Body of the calls that only need the current password (http-api 11). */
export const FactorConfirmation = z.nullish(
  z.object({ current_password: z.nullish(z.string().check(z.maxLength(1024))) }),
)
export type FactorConfirmation = z.infer<typeof FactorConfirmation>

/** Response of `POST /api/account/totp`. */
export const NewTotp = z.object({
  /** In base32, to type in. */
  secret: z.string(),
  /** The same as an address, for the QR code. */
  address: z.string(),
})
export type NewTotp = z.infer<typeof NewTotp>

/** Body of `POST /api/account/totp/confirm`. */
export const TotpCode = z.object({ code: z.string().check(z.maxLength(64)) })
export type TotpCode = z.infer<typeof TotpCode>

/** Recovery codes, which no other response contains. */
export const RecoveryCodes = z.object({ codes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

/** Body of `POST /api/login/factor`: a code or the response of a passkey. */
export const FactorLogin = z.object({
  /** From the header `X-Login-Ticket`. */
  ticket: z.string().check(z.maxLength(128)),
  /** Of the app, or a recovery code. */
  code: z.nullish(z.string().check(z.maxLength(64))),
  passkey: z.nullish(PasskeyAssertion),
  /** Whether this browser needs no second factor for 30 days. */
  remember: z.nullish(z.boolean()),
})
export type FactorLogin = z.infer<typeof FactorLogin>

/**
 * Body of `POST /api/account/confirm`: the caller's password, a code of the app, or the response of a passkey with the
 * ticket of its options.
 */
export const PresenceProof = z.object({
  current_password: z.nullish(z.string().check(z.maxLength(1024))),
  code: z.nullish(z.string().check(z.maxLength(64))),
  ticket: z.nullish(z.string().check(z.maxLength(128))),
  passkey: z.nullish(PasskeyAssertion),
})
export type PresenceProof = z.infer<typeof PresenceProof>
