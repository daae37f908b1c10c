import * as z from 'zod/mini'
import { LINK_KINDS } from './shares.ts'

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

/** Whether share links have names in their addresses: none, those with a password, or all. */
export const LINK_NAMINGS = ['off', 'locked', 'open'] as const

/** Longest life of links that a policy can allow, in days. */
export const MAX_LINK_DAYS = 36_500

/** Which share links users may make, and what they may change them to (http-api 10.1). */
export const LinkPolicy = z.object({
  kinds: z.array(z.enum(LINK_KINDS)).check(z.maxLength(LINK_KINDS.length)),
  password: z.enum(['optional', 'required']),
  /** Days until a link ends, at most; 0 for no limit. */
  maxDays: z.int().check(z.minimum(0), z.maximum(MAX_LINK_DAYS)),
  slugs: z.enum(LINK_NAMINGS),
})
export type LinkPolicy = z.infer<typeof LinkPolicy>

/** Response of `GET /api/settings/access`. */
export const AccessSettings = z.object({ secondFactor: FactorPolicy, links: LinkPolicy })
export type AccessSettings = z.infer<typeof AccessSettings>

/** Body of `PUT /api/settings/access`: what is left out stays. */
export const AccessChange = z.object({
  secondFactor: z.exactOptional(FactorPolicy),
  links: z.exactOptional(LinkPolicy),
})
export type AccessChange = z.infer<typeof AccessChange>
