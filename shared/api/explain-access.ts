import * as z from 'zod/mini'
import { PERMISSIONS } from '../permissions.ts'
import { Rule } from './users.ts'

/**
 * What is asked, in this order: the user's permissions, the rules for the name, the rules for the place a link leads to,
 * whether something stands there and may be used, what the system lets the server do, and of a public link, whether it
 * still leads to what was shared.
 */
export const WHY_CHECKS = ['permission', 'rule', 'link', 'file', 'mode', 'share'] as const
export type WhyCheck = (typeof WHY_CHECKS)[number]

/** An account of the operating system. */
const Account = z.object({
  id: z.int(),
  /** Administrators only. */
  name: z.exactOptional(z.string()),
})

/** What the operating system says of the file or folder that it keeps the server from. */
export const WhyRights = z.object({
  /** In the user's scope. */
  path: z.string(),
  lacks: z.enum(['read', 'write']),
  /** Permission bits, octal. */
  mode: z.string(),
  owner: Account,
  /** The account that the server runs as; administrators only. */
  server: z.exactOptional(Account),
  /** A command of the host that gives the server the right; administrators only. */
  line: z.exactOptional(z.string()),
})
export type WhyRights = z.infer<typeof WhyRights>

/** One step of a decision. */
export const WhyStep = z.object({
  check: z.enum(WHY_CHECKS),
  ok: z.boolean(),
  /** Permissions that are needed and not there. */
  missing: z.exactOptional(z.array(z.enum(PERMISSIONS))),
  /** What decided: a rule for everybody or the user's own, a name with a dot in front, or that no rule is about it. */
  by: z.exactOptional(z.enum(['global', 'own', 'hidden', 'none'])),
  /** That rule; administrators only. */
  rule: z.exactOptional(Rule),
  /** The refusal, as in the header `X-Error-Code`. */
  code: z.exactOptional(z.string()),
  /** Where a link leads, in the user's scope; to a place that the user may not see, administrators only. */
  leads: z.exactOptional(z.string()),
  /** Of `server_refused`, if it is known what is in the way. */
  rights: z.exactOptional(WhyRights),
})
export type WhyStep = z.infer<typeof WhyStep>

/** Answer of `GET /api/why`. */
export const WhyAnswer = z.object({
  allowed: z.boolean(),
  username: z.string(),
  /** In the served folder; administrators only. */
  place: z.exactOptional(z.string()),
  /** Up to the first refusal. */
  steps: z.array(WhyStep),
})
export type WhyAnswer = z.infer<typeof WhyAnswer>
