import * as z from 'zod/mini'
import { Time, TimeInput } from './time.ts'

/**
 * What a token may do: `read` lists and downloads, `write` changes files, `share` manages share links, `admin` calls
 * what only administrators may. `write` and `share` include `read`.
 */
export const TOKEN_SCOPES = ['read', 'write', 'share', 'admin'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** Maximum characters of a label. */
export const MAX_TOKEN_LABEL = 64
/** Maximum folders, and maximum networks, of one token. */
export const MAX_TOKEN_FOLDERS = 16
/** Maximum days of a token that has the scope `admin`. */
export const MAX_ADMIN_TOKEN_DAYS = 90

/** A token in lists: everything but its secret. */
export const TokenInfo = z.object({
  id: z.string(),
  label: z.string(),
  /** The last four characters of the secret. */
  hint: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  /** The folders that it reaches now, as paths in the scope of the account; empty for all files unless `confined`. */
  folders: z.array(z.string()),
  /** Whether it reaches folders only: nothing while `folders` is empty. */
  confined: z.boolean(),
  /** Addresses and networks in CIDR notation; empty for any. */
  networks: z.array(z.string()),
  /** ISO 8601, as all times here; null for a token that does not expire. */
  expires: z.nullable(Time),
  created: Time,
  /** Last use, to the minute; null if it was never used. */
  used: z.nullable(Time),
  /** Client address and `User-Agent` of the last use, `''` if unknown. */
  address: z.string(),
  agent: z.string(),
})
export type TokenInfo = z.infer<typeof TokenInfo>

/** Response of `POST /api/tokens`: the only one that contains the secret. */
export const NewToken = z.extend(TokenInfo, { token: z.string() })
export type NewToken = z.infer<typeof NewToken>

/** Response of `GET /api/tokens/self`. */
export const OwnToken = z.extend(TokenInfo, { username: z.string() })
export type OwnToken = z.infer<typeof OwnToken>

const label = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_TOKEN_LABEL))

/** Body of `POST /api/tokens`. */
export const TokenRequest = z.object({
  label,
  scopes: z.array(z.enum(TOKEN_SCOPES)).check(z.minLength(1), z.maxLength(TOKEN_SCOPES.length)),
  folders: z.nullish(z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(MAX_TOKEN_FOLDERS))),
  networks: z.nullish(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(MAX_TOKEN_FOLDERS))),
  /** A time in the future, ISO 8601. */
  expires: z.nullish(TimeInput),
  /** The caller's own password. */
  current_password: z.nullish(z.string().check(z.maxLength(1024))),
})
export type TokenRequest = z.infer<typeof TokenRequest>

/** Body of `PATCH /api/tokens/{id}`. */
export const TokenChange = z.object({ label })
export type TokenChange = z.infer<typeof TokenChange>
