import * as z from 'zod/mini'
import { Time } from './time.ts'

/** A text in base64url, as authenticators send. */
const encoded = (longest: number) => z.string().check(z.maxLength(longest))

/** A passkey of a user (http-api 34). */
export const PasskeyInfo = z.object({
  id: z.string(),
  /** The name that the user gave it. */
  label: z.string(),
  /** The host name at which it works. */
  site: z.string(),
  created: Time,
  /** Last sign-in with it, null for none. */
  used: z.nullable(Time),
  /** Whether its counter went back, so that a copy of it may exist: it is refused from then on. */
  copied: z.boolean(),
})
export type PasskeyInfo = z.infer<typeof PasskeyInfo>

/** What the browser needs for `navigator.credentials`, and the ticket for the next call. */
export const PasskeyOptions = z.object({
  ticket: z.string(),
  /** `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
  options: z.record(z.string(), z.unknown()),
})
export type PasskeyOptions = z.infer<typeof PasskeyOptions>

/** `AuthenticationResponseJSON` of WebAuthn, as far as it counts. */
export const PasskeyAssertion = z.object({
  id: encoded(1400),
  rawId: encoded(1400),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: encoded(4096),
    authenticatorData: encoded(4096),
    signature: encoded(4096),
    userHandle: z.nullish(encoded(128)),
  }),
})
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>

/** `RegistrationResponseJSON` of WebAuthn, as far as it counts. */
export const PasskeyAttestation = z.object({
  id: encoded(1400),
  rawId: encoded(1400),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: encoded(4096),
    attestationObject: encoded(8192),
    transports: z.nullish(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(16))),
  }),
})
export type PasskeyAttestation = z.infer<typeof PasskeyAttestation>

/** Maximum characters of the name of a passkey. */
export const MAX_PASSKEY_LABEL = 64

const label = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_PASSKEY_LABEL), z.regex(/^\P{Cc}*$/u))
const ticket = z.string().check(z.maxLength(128))

/** Body of `POST /api/account/passkeys`. */
export const NewPasskey = z.object({ ticket, label, response: PasskeyAttestation })
export type NewPasskey = z.infer<typeof NewPasskey>

/** Response of `POST /api/account/passkeys`. */
export const MadePasskey = z.object({
  passkey: PasskeyInfo,
  /** Recovery codes, if it is the first factor of the user; no other response contains them. */
  codes: z.array(z.string()),
})
export type MadePasskey = z.infer<typeof MadePasskey>

/** Body of `PATCH /api/account/passkeys/{id}`. */
export const PasskeyLabel = z.object({ label })
export type PasskeyLabel = z.infer<typeof PasskeyLabel>

/** Body of `POST /api/login/factor/passkey`. */
export const PasskeyTicket = z.object({ ticket })
export type PasskeyTicket = z.infer<typeof PasskeyTicket>

/** Body of `POST /api/login/passkey`. */
export const PasskeyLogin = z.object({ ticket, response: PasskeyAssertion })
export type PasskeyLogin = z.infer<typeof PasskeyLogin>
