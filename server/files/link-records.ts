import type { FilePath } from '../../shared/path.ts'

/** A share link that undo can make or remove again. */
export interface RecordedLink {
  /** Of the object that it is for. */
  identity: string
  /** Whether its owner removed it: it opens nothing and is not listed. */
  isRemoved: boolean
}

/** Share links, as far as recorded changes name them: by ids that open nothing. */
export interface LinkRecords {
  /** A link of a place in the served root; nothing where it is gone for good. */
  find(id: string, place: FilePath): Promise<RecordedLink | undefined>
  /** Lets a removed link serve again. @returns whether it does */
  bringBack(id: string): Promise<boolean>
  /** Removes a link as its owner does. @returns whether it was there */
  remove(id: string, place: FilePath): Promise<boolean>
}
