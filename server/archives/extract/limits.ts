/** How much may come out of one archive. */
export interface ExtractLimits {
  /** Bytes of all files together. */
  bytes: number
  /** How many times larger all of it may be than the archive; small archives may be packed better. */
  ratio: number
  /** Members. */
  members: number
  /** Folders within each other. */
  depth: number
}

/** Bytes up to which nobody asks how well they were packed. */
export const RATIO_FREE = 64 * 1024 * 1024
