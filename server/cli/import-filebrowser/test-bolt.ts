/** A page of the size that most machines use. */
const PAGE = 4096
const HEADER = 16

/** A database of one leaf page per bucket, as `storm` fills them. */
export function boltOf(buckets: Readonly<Record<string, Readonly<Record<string, unknown>>>>, codec = 'json'): Buffer {
  const metadata = bucketValue(0, leaf(0, [{ key: 'codec', value: Buffer.from(codec) }]))
  const pages: Buffer[] = []
  let next = 3
  const add = (elements: readonly Element[]) => {
    const id = next
    const page = leaf(id, elements)
    next += page.length / PAGE
    pages.push(page)
    return id
  }
  const entries = Object.entries(buckets).map(([name, records]) => {
    const stored = Object.entries(records).map(([key, value]) => ({ key, value: Buffer.from(JSON.stringify(value)) }))
    const id = add([{ key: '__storm_metadata', value: metadata, isBucket: true }, ...stored])
    return { key: name, value: bucketValue(id), isBucket: true }
  })
  const root = add(entries)
  return Buffer.concat([meta(0, root, next, 1n), meta(1, root, next, 2n), Buffer.alloc(PAGE), ...pages])
}

interface Element {
  key: string
  value: Buffer
  isBucket?: boolean
}

/** A page with everything in it, rounded up to whole pages unless it lies in a bucket of its own (`id` 0). */
function leaf(id: number, elements: readonly Element[]): Buffer {
  const list = Buffer.alloc(HEADER + elements.length * HEADER)
  const contents: Buffer[] = []
  let at = list.length
  for (const [index, { key, value, isBucket }] of elements.entries()) {
    const start = HEADER + index * HEADER
    const name = Buffer.from(key)
    for (const [field, number] of [isBucket ? 1 : 0, at - start, name.length, value.length].entries()) {
      list.writeUInt32LE(number, start + field * 4)
    }
    contents.push(name, value)
    at += name.length + value.length
  }
  const size = id === 0 ? at : Math.ceil(at / PAGE) * PAGE
  list.writeBigUInt64LE(BigInt(id), 0)
  list.writeUInt16LE(2, 8)
  list.writeUInt16LE(elements.length, 10)
  list.writeUInt32LE(id === 0 ? 0 : size / PAGE - 1, 12)
  return Buffer.concat([list, ...contents, Buffer.alloc(size - at)])
}

function bucketValue(page: number, inline: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(HEADER)
  head.writeBigUInt64LE(BigInt(page), 0)
  return Buffer.concat([head, inline])
}

/** A meta page with its checksum, which is 64-bit FNV-1a. */
export function meta(id: number, root: number, end: number, change: bigint): Buffer {
  const page = Buffer.alloc(PAGE)
  page.writeBigUInt64LE(BigInt(id), 0)
  page.writeUInt16LE(4, 8)
  for (const [field, number] of [0xed0cdaed, 2, PAGE].entries()) page.writeUInt32LE(number, HEADER + field * 4)
  for (const [field, number] of [BigInt(root), 0n, 2n, BigInt(end), change].entries()) {
    page.writeBigUInt64LE(number, HEADER + 16 + field * 8)
  }
  let sum = 0xcbf29ce484222325n
  for (const byte of page.subarray(HEADER, HEADER + 56)) sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n)
  page.writeBigUInt64LE(sum, HEADER + 56)
  return page
}
