import * as z from 'zod/mini'
import { Time } from './time.ts'

/** Body of `POST /api/login` (http-api 2.1); absent if the method needs none. Unknown fields are ignored. */
export const LoginRequest = z.nullable(
  z.object({
    username: z.string().check(z.maxLength(1024)),
    password: z.string().check(z.maxLength(1024)),
    /** The second factor, with the password: a code of the app, or a recovery code. */
    otp: z.nullish(z.string().check(z.maxLength(64))),
    recaptcha: z.nullish(z.string().check(z.maxLength(8192))),
  }),
)
export type LoginRequest = z.infer<typeof LoginRequest>

/**
 * What was proven when a session began: a password, a code of the app, a recovery code, a passkey, a remembered browser in
 * place of a second factor, an OpenID provider, a second factor at that provider, a proxy, a hook, an API token.
 */
export const SESSION_FACTORS = [
  ...(['pwd', 'totp', 'recovery', 'passkey', 'device'] as const),
  ...(['oidc', 'mfa', 'proxy', 'hook', 'token'] as const),
] as const
export type SessionFactor = (typeof SESSION_FACTORS)[number]

/** A session, in `GET /api/sessions`. */
export const SessionInfo = z.object({
  id: z.string(),
  /** Whether it is the caller's own session. */
  current: z.boolean(),
  /** Time of the sign-in; ISO 8601. */
  created: Time,
  /** Last use, to the minute; ISO 8601. */
  seen: Time,
  /** Client address of the last use, `''` if unknown. */
  address: z.string(),
  /** `User-Agent` of the last use, `''` if unknown. */
  agent: z.string(),
  /** In the order of the sign-in; empty if that was not noted. */
  factors: z.array(z.enum(SESSION_FACTORS)),
})
export type SessionInfo = z.infer<typeof SessionInfo>

/** When a user was last active, in `GET /api/users/seen` (http-api 48). */
export const UserSeen = z.object({
  /** Of the user. */
  id: z.int(),
  /** ISO 8601. */
  seen: Time,
})
export type UserSeen = z.infer<typeof UserSeen>

/** Body of `POST /api/signup` (http-api 2.3); a missing one is refused with a cause. */
export const SignupRequest = z.nullable(
  z.object({
    username: z.nullish(z.string().check(z.maxLength(1024))),
    password: z.nullish(z.string().check(z.maxLength(2048))),
  }),
)
export type SignupRequest = z.infer<typeof SignupRequest>
