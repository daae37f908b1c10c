import type { SharesTable } from './links-schema.ts'

/** What users share with other users and groups. */
export interface GrantTables {
  grants: GrantsTable
  grant_names: GrantNamesTable
}

/** The columns that bind a row to a file or folder are those of a link. */
export interface GrantsTable
  extends Pick<
    SharesTable,
    'hash' | 'user_id' | 'path' | 'place' | 'canonical' | 'identity' | 'kind' | 'leaving' | 'suspended' | 'created_at'
  > {
  /** The user, or else the group, that it is for. */
  to_user: number | null
  to_group: string | null
  /** `Permission[]` as JSON. */
  rights: string
  /** For the recipients. */
  note: string
  /** The grant ends here; null for never. */
  expires_at: number | null
  /** The grant by which who shares it on has it; null for what its owner shares. */
  via: string | null
  /** Who shares it on; null for its owner. */
  giver_id: number | null
}

/** How a recipient sees a grant. */
export interface GrantNamesTable {
  grant: string
  user_id: number
  /** In the folder of what is shared with the recipient: unique there. */
  name: string
  /** When the recipient left; null for never. */
  left_at: number | null
}
