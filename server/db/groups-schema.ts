import type { Generated } from 'kysely'
import type { QuotaColumns } from './quotas-schema.ts'

/** Tables of groups of users; see `Schema`. */
export interface GroupTables {
  groups: GroupsTable
  group_members: GroupMembersTable
}

/** Groups of users, which add permissions and rules to those of their members. */
export interface GroupsTable extends QuotaColumns {
  /** 64 random bits in hexadecimal; `everyone` for the group of all users, which has no rows in `group_members`. */
  id: string
  name: string
  /** The name without case, in one form: unique. */
  name_key: string
  description: string
  /** What brought it, as in `group_members`; `''` for a group that an administrator made. */
  source: Generated<string>
  /** Order of the rules: those of a higher position come later, and win. */
  position: number
  /** `Permissions` as JSON. */
  perm: string
  /** `Rule[]` as JSON. */
  rules: string
  created_at: number
  modified_at: number
}

/** Memberships; a user is in a group as long as one of them lasts. */
export interface GroupMembersTable {
  group_id: string
  user_id: number
  /** `manual`, or `provider:` with the slug of an OpenID provider or the id of a directory. */
  source: string
  created_at: number
  /** The membership ends here; null for never. */
  expires_at: number | null
}

/** Of `UsersTable`. */
export interface AccessEpoch {
  /** Incremented with each change of the groups of the user, in the same transaction. */
  access_epoch: Generated<number>
}
