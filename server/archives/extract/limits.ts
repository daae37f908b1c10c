/** Limits on what may be extracted from one archive. */
export interface ExtractLimits {
  /** Total size of all files in bytes. */
  bytes: number
  /** Maximum ratio of the total size to the archive's; does not apply to small output, see `RATIO_FREE`. */
  ratio: number
  /** Number of members. */
  members: number
  /** Depth of nested folders. */
  depth: number
}

/** Bytes up to which the ratio is not limited. */
export const RATIO_FREE = 64 * 1024 * 1024
