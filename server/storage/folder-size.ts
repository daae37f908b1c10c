/** What some things add up to. Links count nothing. */
export interface KnownSum {
  files: number
  folders: number
  /** Of the files. */
  bytes: number
  /** Bytes that the files take on the disk; one with several names counts once. */
  disk: number
  /** Folders that could not be read. */
  unread: number
}

/** A thing in a folder, with all that is in it. */
export interface SizedName extends Omit<KnownSum, 'unread'> {
  name: string
  isFolder: boolean
}

/** The sizes of a folder. */
export interface KnownSizes {
  /** Whether all below the folder was looked at. */
  isComplete: boolean
  total: KnownSum
  /** How many files and folders are in the folder itself. */
  count: number
  /** The largest things in the folder, the largest first. */
  items: SizedName[]
}

/** How full a store is, in bytes. */
export interface Usage {
  total: number
  used: number
}
