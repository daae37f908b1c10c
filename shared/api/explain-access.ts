import * as z from 'zod/mini'
import { PERMISSIONS } from '../permissions.ts'
import { GroupName } from './groups.ts'
import { Rule } from './users.ts'

/**
 * The checks, in this order: the place, where it is not the user's own scope, the user's permissions there, the rules for the name, the rules for a link's target, whether the
 * item exists and is usable, the operating system's permissions, and for a share link, whether it still leads to the
 * shared object.
 */
export const WHY_CHECKS = ['place', 'permission', 'rule', 'link', 'file', 'mode', 'share'] as const
export type WhyCheck = (typeof WHY_CHECKS)[number]

/** An account of the operating system. */
const Account = z.object({
  id: z.int(),
  /** Administrators only. */
  name: z.exactOptional(z.string()),
})

/** The operating system's permissions of the file or folder that the server may not use. */
export const WhyRights = z.object({
  /** In the user's scope. */
  path: z.string(),
  lacks: z.enum(['read', 'write']),
  /** Permission bits, octal. */
  mode: z.string(),
  owner: Account,
  /** The account that the server runs as; administrators only. */
  server: z.exactOptional(Account),
  /** A command to run on the host that grants the permission; administrators only. */
  line: z.exactOptional(z.string()),
})
export type WhyRights = z.infer<typeof WhyRights>

/** A place of the user's files that is not their own scope. */
const WhyPlace = z.object({
  /** A folder of another root, or what other users share. */
  kind: z.enum(['mount', 'shared']),
  /** At which the user has it. */
  path: z.string(),
  /** The user who shares it. */
  owner: z.exactOptional(z.string()),
  /** Whether no user changes anything in it. */
  readOnly: z.exactOptional(z.boolean()),
})
export type WhyPlace = z.infer<typeof WhyPlace>

/** A step of the decision. */
export const WhyStep = z.object({
  check: z.enum(WHY_CHECKS),
  ok: z.boolean(),
  /** Where the path lies. */
  place: z.exactOptional(WhyPlace),
  /** Permissions that are required and missing. */
  missing: z.exactOptional(z.array(z.enum(PERMISSIONS))),
  /**
   * Who gives each of the required permissions that groups give; the others are the user's own. In a mount, who was given
   * it with each of them: the user (`own`), and groups.
   */
  given: z.exactOptional(
    z.array(
      z.object({
        permission: z.enum(PERMISSIONS),
        own: z.boolean(),
        groups: z.array(GroupName),
        /** Whether it is what the user may do in their own files that counts in the mount. */
        inherited: z.exactOptional(z.boolean()),
      }),
    ),
  ),
  /**
   * What decided: a global rule, one of a group or the user's own, one of the owner of what is shared, a name with a
   * leading dot, or the absence of a matching rule.
   */
  by: z.exactOptional(z.enum(['global', 'group', 'own', 'owner', 'hidden', 'none'])),
  /** The group whose rule decided. */
  group: z.exactOptional(GroupName),
  /** That rule; administrators only. */
  rule: z.exactOptional(Rule),
  /** The error, as in the header `X-Error-Code`. */
  code: z.exactOptional(z.string()),
  /** A link's target, in the user's scope; if the user may not see it, for administrators only. */
  leads: z.exactOptional(z.string()),
  /** Of `server_refused`, if the cause is known. */
  rights: z.exactOptional(WhyRights),
})
export type WhyStep = z.infer<typeof WhyStep>

/** Response of `GET /api/why`. */
export const WhyAnswer = z.object({
  allowed: z.boolean(),
  username: z.string(),
  /** In the served folder; administrators only. */
  place: z.exactOptional(z.string()),
  /** Up to the first refusal. */
  steps: z.array(WhyStep),
})
export type WhyAnswer = z.infer<typeof WhyAnswer>
