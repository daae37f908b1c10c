import { AppError } from '../../../errors.ts'
import type { Coder } from '../../codecs/coder-chain.ts'
import { corrupt } from '../../source.ts'
import type { Cursor } from './cursor.ts'
import { ID, MAX_ITEMS } from './property-ids.ts'

/** Files compressed together, one after the other. */
export interface Block {
  /** Offset of its compressed bytes in the archive, after the signature header. */
  start: number
  packed: number
  /** Its decoders in the order in which they run; `undefined` when one is not supported. */
  coders: readonly Coder[] | undefined
  encrypted: boolean
  /** Total size of its files in bytes. */
  size: number
  crc: number | undefined
}

/** One file in a block. */
export interface Part {
  block: number
  /** Offset among the decompressed bytes. */
  offset: number
  size: number
  crc: number | undefined
}

export interface Streams {
  blocks: readonly Block[]
  parts: readonly Part[]
}

/** Compressed streams by their sizes, one after the other. */
interface Packs {
  start: number
  sizes: readonly number[]
}

const AES = '06f10701'

/** Reads the location of compressed streams, their coders, and the files in them. @throws undecodable, unsupported */
export function readStreams(cursor: Cursor): Streams {
  let packs: Packs = { start: 0, sizes: [] }
  let blocks: Block[] = []
  let parts: Part[] | undefined
  for (let id = cursor.byte(); id !== ID.end; id = cursor.byte()) {
    if (id === ID.packs) packs = readPacks(cursor)
    else if (id === ID.blocks) blocks = readBlocks(cursor, packs)
    else if (id === ID.parts) parts = readParts(cursor, blocks)
    else throw corrupt()
  }
  return { blocks, parts: parts ?? blocks.map(({ size, crc }, block) => ({ block, offset: 0, size, crc })) }
}

function readPacks(cursor: Cursor): Packs {
  const start = cursor.number()
  const count = cursor.count()
  let sizes: number[] = []
  for (let id = cursor.byte(); id !== ID.end; id = cursor.byte()) {
    if (id === ID.size) sizes = Array.from({ length: count }, () => cursor.number())
    else if (id === ID.crc) cursor.digests(count)
    else throw corrupt()
  }
  return { start, sizes }
}

/** A block as declared, before its sizes. */
interface Method {
  coders: readonly Omit<Coder, 'size'>[]
  /** The coder whose output each coder reads; `undefined` for compressed input. */
  sources: readonly (number | undefined)[]
  /** Number of compressed streams that it reads. */
  packs: number
  /** Whether every coder has one input and one output. */
  plain: boolean
}

function readBlocks(cursor: Cursor, packs: Packs): Block[] {
  if (cursor.byte() !== ID.block) throw corrupt()
  const count = cursor.count()
  if (cursor.byte() !== 0) throw corrupt()
  const methods = Array.from({ length: count }, () => readMethod(cursor))
  if (cursor.byte() !== ID.unpackedSize) throw corrupt()
  const sizes = methods.map(({ coders }) => coders.map(() => cursor.number()))
  let crcs: (number | undefined)[] = []
  for (let id = cursor.byte(); id !== ID.end; id = cursor.byte()) {
    if (id !== ID.crc) throw corrupt()
    crcs = cursor.digests(count)
  }
  let pack = 0
  let start = packs.start
  return methods.map((method, at) => {
    const packed = sum(packs.sizes.slice(pack, pack + method.packs))
    const block = blockOf(method, sizes[at] ?? [], { start, packed, crc: crcs[at] })
    pack += method.packs
    start += packed
    return block
  })
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

function blockOf(
  { coders, sources, plain }: Method,
  sizes: readonly number[],
  where: Pick<Block, 'start' | 'packed' | 'crc'>,
): Block {
  const encrypted = coders.some(({ id }) => id === AES)
  const order = plain ? orderOf(sources) : []
  // The final coder is the one whose output no other coder reads.
  const last = plain ? (order.at(-1) ?? 0) : coders.findIndex((_, at) => !sources.includes(at))
  const chain = order.flatMap(at => {
    const coder = coders[at]
    return coder ? [{ ...coder, size: sizes[at] ?? 0 }] : []
  })
  return { ...where, coders: plain ? chain : undefined, encrypted, size: sizes[last] ?? 0 }
}

/** The coders in the order of the data flow. @throws undecodable when they form a cycle, or are not all connected */
function orderOf(sources: readonly (number | undefined)[]): number[] {
  const order: number[] = []
  for (let at = sources.indexOf(undefined); at >= 0 && order.length < sources.length; at = sources.indexOf(at)) {
    order.push(at)
  }
  if (order.length !== sources.length || new Set(order).size !== order.length) throw corrupt()
  return order
}

/** Maximum number of coders and bindings of a block, the limit of 7-Zip itself. */
const MAX_CODERS = 32
const CODER = { idSize: 0x0f, complex: 0x10, properties: 0x20, reserved: 0xc0 } as const

function readMethod(cursor: Cursor): Method {
  const count = cursor.number()
  if (count === 0 || count > MAX_CODERS) throw corrupt()
  const stored = Array.from({ length: count }, () => readCoder(cursor))
  const ins = sum(stored.map(({ ways }) => ways.in))
  const outs = sum(stored.map(({ ways }) => ways.out))
  if (ins > MAX_CODERS || outs > MAX_CODERS || outs === 0) throw corrupt()
  const sources = new Array<number | undefined>(ins).fill(undefined)
  for (let pair = 0; pair < outs - 1; pair++) {
    const to = cursor.number()
    if (to >= ins) throw corrupt()
    sources[to] = cursor.number()
  }
  const packs = ins - (outs - 1)
  if (packs < 1) throw corrupt()
  if (packs > 1) for (let pack = 0; pack < packs; pack++) cursor.number()
  const plain = stored.every(({ ways }) => ways.in === 1 && ways.out === 1)
  return { coders: stored.map(({ id, properties }) => ({ id, properties })), sources, packs, plain }
}

function readCoder(cursor: Cursor) {
  const flags = cursor.byte()
  if ((flags & CODER.reserved) !== 0) throw corrupt()
  const id = cursor.take(flags & CODER.idSize).toString('hex')
  const ways = flags & CODER.complex ? { in: cursor.number(), out: cursor.number() } : { in: 1, out: 1 }
  const properties = Buffer.from(flags & CODER.properties ? cursor.take(cursor.number()) : [])
  return { id, ways, properties }
}

function readParts(cursor: Cursor, blocks: readonly Block[]): Part[] {
  let id = cursor.byte()
  const counts = blocks.map(() => 1)
  if (id === ID.partCount) {
    for (const at of counts.keys()) counts[at] = cursor.number()
    if (sum(counts) > MAX_ITEMS) throw new AppError('unsupported', 'too many items in it')
    id = cursor.byte()
  }
  const parts = blocks.flatMap((block, at) => partsOf(cursor, block, at, counts[at] ?? 0, id === ID.size))
  if (id === ID.size) id = cursor.byte()
  for (; id !== ID.end; id = cursor.byte()) {
    if (id !== ID.crc) throw corrupt()
    const open = parts.filter(({ crc }) => crc === undefined)
    for (const [at, crc] of cursor.digests(open.length).entries()) {
      const part = open[at]
      if (part) part.crc = crc
    }
  }
  return parts
}

/** All sizes but that of the last file are stored. */
function partsOf(cursor: Cursor, block: Block, at: number, count: number, stored: boolean): Part[] {
  const parts: Part[] = []
  let offset = 0
  for (let part = 0; part < count; part++) {
    const size = stored && part < count - 1 ? cursor.number() : block.size - offset
    if (size < 0 || offset + size > block.size) throw corrupt()
    parts.push({ block: at, offset, size, crc: count === 1 ? block.crc : undefined })
    offset += size
  }
  return parts
}
