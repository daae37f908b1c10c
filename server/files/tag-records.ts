import type { Tag } from '../../shared/api/tags.ts'
import type { FilePath } from '../../shared/path.ts'
import type { MarkedObject } from './marked-object.ts'

export type TagText = Pick<Tag, 'name' | 'colour'>

/** Tags to add to an object and to remove from it, by id. */
export interface TagSetting {
  add: readonly string[]
  remove: readonly string[]
}

/** The records of tags; see `server/history`. */
export interface TagRecords {
  /** A user's tags and the shared ones, by name. */
  tags(userId: number): Promise<Tag[]>
  /** Adds a tag of a user, or a shared one for `undefined`. @throws AppError `exists` for a name taken, and for too many */
  addTag(userId: number | undefined, tag: TagText): Promise<Tag>
  /** @throws AppError `exists` for a name taken */
  changeTag(id: string, tag: TagText): Promise<void>
  /** Removes a tag, also from all objects. */
  removeTag(id: string): Promise<void>
  /**
   * Sets tags of an object, which must exist.
   * @returns all of its tags that the user sees
   * @throws AppError `exists`, with nothing changed, when these would be too many
   */
  setTags(userId: number, object: string, change: TagSetting): Promise<string[]>
  /** The objects directly in a folder that have tags which a user sees. */
  tagsIn(userId: number, folder: FilePath): Promise<(MarkedObject & { tags: string[] })[]>
  /** A page of objects with a tag, by descending id. @param before the last id of the page before */
  objectsWith(tag: string, before?: string): Promise<MarkedObject[]>
}
