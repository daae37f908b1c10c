/** Size of `struct statx` in bytes; see statx(2). It is the same on every processor. */
export const STATX_BYTES = 256

/** Offsets of its fields. */
const AT = { nlink: 16, mode: 28, ino: 32, size: 40, blocks: 48, birth: 80, change: 96, modification: 112, device: 136 }

const SECOND = 1_000_000_000n

/** The fields of a stat that are needed, read when they are asked for, named as in `BigIntStats`. */
export interface StatFields {
  readonly mode: number
  readonly nlink: number
  readonly size: bigint
  readonly blocks: bigint
  readonly ino: bigint
  readonly device: { major: number; minor: number }
  readonly birthtimeNs: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

/** A view of a `struct statx`. */
export function statFieldsIn(memory: Buffer, start: number): StatFields {
  const time = (field: number) =>
    memory.readBigInt64LE(start + field) * SECOND + BigInt(memory.readUInt32LE(start + field + 8))
  return {
    get mode() {
      return memory.readUInt16LE(start + AT.mode)
    },
    get nlink() {
      return memory.readUInt32LE(start + AT.nlink)
    },
    get size() {
      return memory.readBigUInt64LE(start + AT.size)
    },
    get blocks() {
      return memory.readBigUInt64LE(start + AT.blocks)
    },
    get ino() {
      return memory.readBigUInt64LE(start + AT.ino)
    },
    get device() {
      return { major: memory.readUInt32LE(start + AT.device), minor: memory.readUInt32LE(start + AT.device + 4) }
    },
    get birthtimeNs() {
      return time(AT.birth)
    },
    get mtimeNs() {
      return time(AT.modification)
    },
    get ctimeNs() {
      return time(AT.change)
    },
  }
}
