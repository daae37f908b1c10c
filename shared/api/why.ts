import * as z from 'zod/mini'
import { PERMISSIONS } from '../permissions.ts'
import { Rule } from './users.ts'

/**
 * What is asked, in this order: the user's permissions, the rules for the name, whether something stands there and may be
 * used, the rules for the place a link leads to, what the system lets the server do, and of a public link, whether it
 * still leads to what was shared.
 */
export const WHY_CHECKS = ['permission', 'rule', 'file', 'link', 'mode', 'share'] as const
export type WhyCheck = (typeof WHY_CHECKS)[number]

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
  /** Where a link leads, in the user's scope. */
  leads: z.exactOptional(z.string()),
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
