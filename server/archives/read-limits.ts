/** Limits of listing an archive. What exceeds them is reported, not hidden. */
export interface ReadLimits {
  /** Listed members, including their folders. */
  members: number
  /** Bytes decompressed to list a compressed tar. */
  unpacked: number
  /** Maximum time of listing in milliseconds. */
  time: number
}

export const READ_LIMITS: ReadLimits = { members: 100_000, unpacked: 8 * 1024 ** 3, time: 20_000 }

/** Maximum depth of listed folders. */
export const MAX_LISTED_DEPTH = 128
/** Longest name of a member, in bytes: the same as the longest path. */
export const MAX_MEMBER_NAME = 4096
/** Maximum size in bytes of a tar member's extended header. */
export const MAX_TAR_EXTENSION = 1024 * 1024
/** Maximum dictionary of a decompressor in bytes. */
export const MAX_WINDOW = 64 * 1024 * 1024
