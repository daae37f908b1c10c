import { damaged } from './errors.ts'
import type { Meta } from './meta.ts'

/** One state of a database, in memory. */
export interface Bolt extends Meta {
  bytes: Buffer
}

/** A bucket: a tree of pages, or a single page inlined in its parent. */
export type Bucket = { page: number } | { inline: Buffer }

/** The value of a key. */
export type Item = { key: Buffer; value: Buffer } | { key: Buffer; bucket: Bucket }

const HEADER = 16
const ELEMENT = 16
const BRANCH = 0x01
const LEAF = 0x02
const IS_BUCKET = 0x01
const BUCKET_HEADER = 16
/** Maximum depth of a tree; pages of only two keys would exceed any file size. */
const DEEPEST = 40

/** The root bucket. */
export const rootOf = ({ root }: Bolt): Bucket => ({ page: root })

/** All items of a bucket, by key. Values are views into the file's bytes. @throws AppError `bad_request` when corrupt */
export function itemsOf(bolt: Bolt, bucket: Bucket): Item[] {
  if ('inline' in bucket) return leafItems(bucket.inline, headerOf(bucket.inline))
  return walk({ bolt, seen: new Set() }, bucket.page, 0)
}

interface Walk {
  bolt: Bolt
  /** A page that occurs twice is a cycle. */
  seen: Set<number>
}

function walk(way: Walk, id: number, depth: number): Item[] {
  if (depth > DEEPEST) throw damaged('its pages are nested too deeply')
  if (way.seen.has(id)) throw damaged(`page ${id} occurs twice`)
  way.seen.add(id)
  const page = pageOf(way.bolt, id)
  const header = headerOf(page)
  if (header.kind === LEAF) return leafItems(page, header)
  if (header.kind !== BRANCH) throw damaged(`page ${id} has an unknown type`)
  return elementsOf(header).flatMap(at => walk(way, branchTarget(page, at), depth + 1))
}

/** The bytes of a page, with its overflow pages. */
function pageOf({ bytes, pageSize, end }: Bolt, id: number): Buffer {
  const start = id * pageSize
  if (!(id >= 2 && id < end) || start + HEADER > bytes.length) throw damaged(`there is no page ${id}`)
  if (Number(bytes.readBigUInt64LE(start)) !== id) throw damaged(`page ${id} is in the wrong place`)
  const overflow = bytes.readUInt32LE(start + 12)
  const stop = start + (overflow + 1) * pageSize
  if (id + overflow >= end || stop > bytes.length) throw damaged(`page ${id} is truncated`)
  return bytes.subarray(start, stop)
}

interface Header {
  kind: number
  count: number
}

function headerOf(page: Buffer): Header {
  if (page.length < HEADER) throw damaged('a page has no header')
  const header = { kind: page.readUInt16LE(8), count: page.readUInt16LE(10) }
  if (HEADER + header.count * ELEMENT > page.length) throw damaged('a page has too many entries')
  return header
}

/** Offsets of the entries in a page. */
const elementsOf = ({ count }: Header): number[] =>
  Array.from({ length: count }, (_, index) => HEADER + index * ELEMENT)

function branchTarget(page: Buffer, at: number): number {
  slice(page, at + page.readUInt32LE(at), page.readUInt32LE(at + 4))
  return Number(page.readBigUInt64LE(at + 8))
}

function leafItems(page: Buffer, header: Header): Item[] {
  if (header.kind !== LEAF) throw damaged('a page has an unknown type')
  let used = 0
  return elementsOf(header).map(at => {
    const [flags, position, keyLength, valueLength] = [0, 4, 8, 12].map(field => page.readUInt32LE(at + field))
    const start = at + (position ?? 0)
    const key = slice(page, start, keyLength ?? 0)
    const value = slice(page, start + key.length, valueLength ?? 0)
    // Overlapping values could be read repeatedly, so that a small file would exhaust memory.
    used += key.length + value.length
    if (used > page.length) throw damaged('a page has too many bytes')
    return ((flags ?? 0) & IS_BUCKET) === 0 ? { key, value } : { key, bucket: bucketIn(value) }
  })
}

function bucketIn(value: Buffer): Bucket {
  if (value.length < BUCKET_HEADER) throw damaged('a bucket has no header')
  const page = Number(value.readBigUInt64LE(0))
  return page === 0 ? { inline: value.subarray(BUCKET_HEADER) } : { page }
}

function slice(page: Buffer, start: number, length: number): Buffer {
  if (start + length > page.length) throw damaged('an entry is outside its page')
  return page.subarray(start, start + length)
}
