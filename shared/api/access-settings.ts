import * as z from 'zod/mini'

export const FACTOR_DUTIES = ['none', 'admins', 'groups', 'all'] as const

/** Longest grace of the duty, in days. */
export const MAX_GRACE_DAYS = 90

/** Who must have a second factor (http-api 34). */
export const FactorPolicy = z.object({
  require: z.enum(FACTOR_DUTIES),
  /** Ids of groups, with `groups`. */
  groups: z.array(z.string().check(z.maxLength(64))).check(z.maxLength(100)),
  /** The duty begins at this time; ISO 8601, null for at once. */
  from: z.nullable(z.iso.datetime()),
  /** Days from the first sign-in under the duty until it counts. */
  graceDays: z.int().check(z.minimum(0), z.maximum(MAX_GRACE_DAYS)),
  /** Whether a second factor that an OpenID provider checked takes the place of one here. */
  trustProviders: z._default(z.boolean(), true),
})
export type FactorPolicy = z.infer<typeof FactorPolicy>

/** Body and response of `/api/settings/access`. */
export const AccessSettings = z.object({ secondFactor: FactorPolicy })
export type AccessSettings = z.infer<typeof AccessSettings>
