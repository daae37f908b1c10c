/** Totals of a set of entries. Links count nothing. */
export interface KnownSum {
  files: number
  folders: number
  /** Total size of the files. */
  bytes: number
  /** Allocated bytes; a file with several hard links counts once. */
  disk: number
  /** Folders that could not be read. */
  unread: number
}

/** An entry of a folder, with all its content. */
export interface SizedName extends Omit<KnownSum, 'unread'> {
  name: string
  isFolder: boolean
}

/** Which of a folder's entries are named with their sizes. */
export interface SizesWanted {
  /** The number of the largest. */
  most: number
  onlyFolders?: boolean
}

/** The sizes of a folder. */
export interface KnownSizes {
  /** Whether the whole tree was scanned. */
  isComplete: boolean
  total: KnownSum
  /** Number of files and folders directly in the folder. */
  count: number
  /** The largest entries of the folder, in descending order. */
  items: SizedName[]
}

/** Capacity of a volume, in bytes. */
export interface Usage {
  total: number
  used: number
}
