import type { UndoObstacle } from '../../shared/api/changes.ts'
import type { FilePath } from '../../shared/path.ts'

/** A share link that undo can make or remove again. */
export interface RecordedLink {
  /** Of the object that it is for. */
  identity: string
  /** Whether its owner removed it: it opens nothing and is not listed. */
  isRemoved: boolean
}

/** The share links that one user may change, as far as recorded changes name them: by ids that open nothing. */
export interface LinkRecords {
  /** A link of a place in the served root; nothing where it is gone for good. */
  find(id: string, place: FilePath): Promise<RecordedLink | undefined>
  /** Lets a removed link serve again. @returns whether it does */
  bringBack(id: string): Promise<boolean>
  /** Removes a link as its owner does. @returns whether it was there */
  remove(id: string, place: FilePath): Promise<boolean>
  /**
   * Why a link does not get back what it had before a change of its settings, or not without a question.
   * @param change the settings before and after, as `Step.settings` has them
   */
  obstacle(id: string, place: FilePath, change: string): Promise<UndoObstacle | undefined>
  /** Gives a link back what it had before a change. @returns what that changed; nothing where the link or its name is gone */
  setBack(id: string, place: FilePath, change: string): Promise<string | undefined>
}

/** Whose links are changed: their owner's; all for administrators. */
export interface LinkUser {
  id: number
  isAdmin: boolean
}

export type LinksOf = (user: LinkUser) => LinkRecords
