import type { TagColour } from '../../shared/api/tags.ts'

/** Tables of tags; see `Schema`. */
export interface TagTables {
  tags: TagsTable
  object_tags: ObjectTagsTable
}

export interface TagsTable {
  /** A ULID, in lower case. */
  id: string
  /** Null for a shared tag. */
  user_id: number | null
  name: string
  /** The name as it is compared: composed, in lower case. Unique among the tags of a user, and among shared ones. */
  name_key: string
  colour: TagColour
}

/** The tags of files and folders. */
export interface ObjectTagsTable {
  object: string
  tag: string
  at: number
  /** The id of the user who set it. */
  by_user: number
}
