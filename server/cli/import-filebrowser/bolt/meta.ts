/** A meta page: the root of one state of the database. There are two, written alternately. */
export interface Meta {
  pageSize: number
  /** Page of the root bucket. */
  root: number
  /** First page number beyond the used pages. */
  end: number
  /** Transaction number; the higher one is newer. */
  change: bigint
}

const MAGIC = 0xed0cdaed
const VERSION = 2
const META_PAGE = 0x04
const HEADER = 16
/** Bytes covered by the checksum, and of all fields. */
const COVERED = 56
const LENGTH = COVERED + 8
const SMALLEST_PAGE = 512
export const LARGEST_PAGE = 64 * 1024

/**
 * The newest valid meta page. The second follows one page after the first; each contains the page size.
 * @param head at least the first two pages, as far as the file has them
 */
export function newestMeta(head: Buffer): Meta | undefined {
  const first = metaAt(head, 0)
  const sizes = first ? [first.pageSize] : powersOfTwo()
  const others = sizes.map(size => metaAt(head, size)).filter(meta => meta !== undefined)
  const second = others.find(meta => sizes.includes(meta.pageSize))
  if (!first || !second) return first ?? second
  return second.change > first.change ? second : first
}

/** Whether a file begins like a bbolt database, valid or not, in either byte order. */
export function looksLikeBolt(head: Buffer): 'yes' | 'other-order' | 'no' {
  for (const at of [0, ...powersOfTwo()].map(offset => offset + HEADER)) {
    if (at + 4 > head.length) continue
    if (head.readUInt32LE(at) === MAGIC) return 'yes'
    if (head.readUInt32BE(at) === MAGIC) return 'other-order'
  }
  return 'no'
}

function powersOfTwo(): number[] {
  const sizes: number[] = []
  for (let size = SMALLEST_PAGE; size <= LARGEST_PAGE; size *= 2) sizes.push(size)
  return sizes
}

function metaAt(head: Buffer, offset: number): Meta | undefined {
  if (offset + HEADER + LENGTH > head.length) return undefined
  const page = head.subarray(offset, offset + HEADER + LENGTH)
  const meta = page.subarray(HEADER)
  const isSound =
    (page.readUInt16LE(8) & META_PAGE) !== 0 &&
    meta.readUInt32LE(0) === MAGIC &&
    meta.readUInt32LE(4) === VERSION &&
    meta.readBigUInt64LE(COVERED) === fnv1a(meta.subarray(0, COVERED))
  const pageSize = meta.readUInt32LE(8)
  if (!isSound || !powersOfTwo().includes(pageSize)) return undefined
  const root = Number(meta.readBigUInt64LE(16))
  return { pageSize, root, end: Number(meta.readBigUInt64LE(40)), change: meta.readBigUInt64LE(48) }
}

/** The 64-bit FNV-1a hash. */
function fnv1a(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash
}
