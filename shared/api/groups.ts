import * as z from 'zod/mini'
import { Time, TimeInput } from './time.ts'
import { PermissionsAnswer, PermissionsInput, Rule, RulesInput } from './users.ts'

/** The group of all users: it always exists, has no list of members, and comes first. */
export const EVERYONE = 'everyone'
/** The longest name of a group, in characters. */
export const LONGEST_GROUP_NAME = 64
/** The longest description, in characters. */
export const LONGEST_GROUP_DESCRIPTION = 1000

/** A group of users (http-api 29). */
export const Group = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** What it adds to the permissions of its members. */
  perm: PermissionsAnswer,
  /** They come after the global rules and those of the groups before it, and before the member's own. */
  rules: z.array(Rule),
  /** Users in it; all users for the group of all. */
  members: z.int(),
  /** Memberships by source: `manual`, or `provider:` with the short name of an OpenID provider. */
  sources: z.record(z.string(), z.int()),
})
export type Group = z.infer<typeof Group>

/** Body of `POST /api/groups` and `PUT /api/groups/{id}`: all fields; a missing one has its zero value. */
export const GroupRequest = z.object({
  name: z.string().check(z.maxLength(1024)),
  description: z.nullish(z.string().check(z.maxLength(LONGEST_GROUP_DESCRIPTION))),
  perm: PermissionsInput,
  rules: RulesInput,
  /** The caller's own password. */
  current_password: z.nullish(z.string().check(z.maxLength(1024))),
})
export type GroupRequest = z.infer<typeof GroupRequest>

/** Body of `PUT /api/groups/order`: every group but that of all users. */
export const GroupOrder = z.object({ ids: z.array(z.string().check(z.maxLength(64))).check(z.maxLength(10_000)) })
export type GroupOrder = z.infer<typeof GroupOrder>

/** A member of a group. */
export const GroupMember = z.object({
  id: z.int(),
  username: z.string(),
  /** Who put the user into the group, as in `Group.sources`. */
  sources: z.array(z.string()),
  /** When the last membership ends, in RFC 3339; null for never. */
  expires: z.nullable(Time),
})
export type GroupMember = z.infer<typeof GroupMember>

/** Response of `GET /api/groups/{id}/members`: by id. */
export const GroupMembers = z.object({
  members: z.array(GroupMember),
  /** Whether there are more after the last one. */
  more: z.boolean(),
})
export type GroupMembers = z.infer<typeof GroupMembers>

/** Body of `PUT /api/groups/{id}/members/{user}`; optional. */
export const MembershipRequest = z.nullish(
  z.object({
    /** When it ends, in RFC 3339; never unless given. */
    expires: z.nullish(TimeInput),
    current_password: z.nullish(z.string().check(z.maxLength(1024))),
  }),
)
export type MembershipRequest = z.infer<typeof MembershipRequest>

/** A group as its members see it. */
export const GroupName = z.object({ id: z.string(), name: z.string() })
export type GroupName = z.infer<typeof GroupName>

/** Response of `GET /api/users/{id}/access` and `GET /api/account/access`: what a user may do, and why. */
export const UserAccess = z.object({
  username: z.string(),
  /** All that the user has: the own permissions and those of the groups. */
  perm: PermissionsAnswer,
  own: PermissionsAnswer,
  /** The groups of the user in order, with what each gives. */
  groups: z.array(
    z.object({
      ...GroupName.shape,
      perm: PermissionsAnswer,
      sources: z.array(z.string()),
      expires: z.nullable(Time),
    }),
  ),
  /** All rules in their order, the last match decides; for administrators only. */
  rules: z.exactOptional(
    z.array(z.object({ rule: Rule, by: z.enum(['global', 'group', 'own']), group: z.exactOptional(GroupName) })),
  ),
})
export type UserAccess = z.infer<typeof UserAccess>
