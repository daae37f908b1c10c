import { BZIP2_BLOCK, bzip2Stream } from './bzip2/encode.ts'
import { LZ4_BLOCK, lz4Frame } from './lz4/encode.ts'
import { snappyFrames } from './snappy/encode.ts'
import { XZ_BLOCK, xzStream } from './xz/encode.ts'

/**
 * Our own compressors. Each makes a whole stream out of one block of input; readers of these formats accept
 * concatenated streams, so blocks can be compressed independently.
 */
export const METHODS = {
  bzip2: { block: BZIP2_BLOCK, compress: bzip2Stream },
  lz4: { block: LZ4_BLOCK, compress: lz4Frame },
  snappy: { block: 1024 * 1024, compress: snappyFrames },
  xz: { block: XZ_BLOCK, compress: xzStream },
} as const

export type Method = keyof typeof METHODS
