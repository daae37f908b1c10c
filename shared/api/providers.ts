import * as z from 'zod/mini'
import { Time } from './time.ts'

/** The last comparison of the accounts of a directory with it. */
export const DirectoryComparison = z.object({
  at: Time,
  /** `doubtful` (most accounts were missing) and `failed` ones changed no account. */
  state: z.enum(['good', 'doubtful', 'failed']),
  /** Accounts for which the last good one found an open entry. */
  open: z.int(),
  /** Why it failed. */
  reason: z.exactOptional(z.string()),
})
export type DirectoryComparison = z.infer<typeof DirectoryComparison>

/** An OpenID provider or a directory of the host. */
export const ProviderStatus = z.object({
  kind: z.enum(['oidc', 'ldap']),
  /** Unique among those of its kind. */
  slug: z.string(),
  label: z.string(),
  answers: z.boolean(),
  /** Why it does not. */
  reason: z.exactOptional(z.string()),
  /** Of an OpenID provider: the redirect address, which it must know. */
  redirect: z.exactOptional(z.string()),
  /** Of a directory: null before the first one. */
  compared: z.exactOptional(z.nullable(DirectoryComparison)),
})
export type ProviderStatus = z.infer<typeof ProviderStatus>

/** Response of `POST /api/directories/{slug}/sync`. */
export const ComparisonSummary = z.object({
  state: z.enum(['good', 'doubtful']),
  /** Accounts of the directory. */
  accounts: z.int(),
  /** Those whose entry is there, open, and of an allowed group. */
  open: z.int(),
  /** Those that are missing for the first time. */
  missing: z.int(),
  closed: z.int(),
  reopened: z.int(),
})
export type ComparisonSummary = z.infer<typeof ComparisonSummary>

/** An account at a provider or a directory that leads to the caller's. */
export const AccountIdentity = z.object({
  kind: z.enum(['oidc', 'ldap']),
  /** Null where the host no longer names it. */
  slug: z.nullable(z.string()),
  label: z.string(),
  /** The name that it last sent; may be empty. */
  username: z.string(),
  created: Time,
  /** Last sign-in. */
  used: Time,
  /** Whether the caller may disconnect it: a provider that is not the only way into the account. */
  removable: z.boolean(),
})
export type AccountIdentity = z.infer<typeof AccountIdentity>
