/** How far an archive is looked into. What goes beyond it is told, not hidden. */
export interface ReadLimits {
  /** Members that are listed, with the folders they are in. */
  members: number
  /** Bytes that are unpacked to list what is in a compressed tar. */
  unpacked: number
  /** Milliseconds that listing takes at most. */
  time: number
}

export const READ_LIMITS: ReadLimits = { members: 100_000, unpacked: 8 * 1024 ** 3, time: 20_000 }

/** Folders within each other that are listed. */
export const MAX_LISTED_DEPTH = 128
/** Longest name of a member, in bytes, as the longest path. */
export const MAX_MEMBER_NAME = 4096
/** Bytes of what a tar says of one member beside its header. */
export const MAX_TAR_EXTENSION = 1024 * 1024
/** Bytes that a decompressor may have to remember. */
export const MAX_WINDOW = 64 * 1024 * 1024
