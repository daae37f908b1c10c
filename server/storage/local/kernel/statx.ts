/** Size of `struct statx` in bytes; see statx(2). It is the same on every processor. */
export const STATX_BYTES = 256

/** Offsets of its fields. */
const AT = { mode: 28, ino: 32, size: 40, birth: 80, change: 96, modification: 112 }

const SECOND = 1_000_000_000n

/** The fields of a stat that are needed, named as in `BigIntStats`. */
export interface StatFields {
  /** Type and permission bits. */
  readonly mode: number
  readonly size: bigint
  readonly ino: bigint
  readonly birthtimeNs: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

/** The fields of a `struct statx`. */
export function statFieldsIn(memory: DataView, start: number): StatFields {
  return {
    mode: memory.getUint16(start + AT.mode, true),
    size: memory.getBigUint64(start + AT.size, true),
    ino: memory.getBigUint64(start + AT.ino, true),
    birthtimeNs: timeAt(memory, start + AT.birth),
    mtimeNs: timeAt(memory, start + AT.modification),
    ctimeNs: timeAt(memory, start + AT.change),
  }
}

/** Nanoseconds of a `struct statx_timestamp`. */
const timeAt = (memory: DataView, at: number) =>
  memory.getBigInt64(at, true) * SECOND + BigInt(memory.getUint32(at + 8, true))
