import type { Readable } from 'node:stream'
import type { Entry, StorageDriver } from '../storage/driver.ts'

/** Milliseconds by which two modification times of one file may differ, because setting a time rounds it. */
const TIME_TOLERANCE = 2

/** Whether both could be the same file, by size and time alone. */
export function looksSame(a: Pick<Entry, 'size' | 'modified'>, b: Pick<Entry, 'size' | 'modified'>): boolean {
  return a.size === b.size && Math.abs(a.modified - b.modified) < TIME_TOLERANCE
}

/** Whether two files have the same bytes. @param other the store of the second one, if it is another */
export async function sameContent(store: StorageDriver, a: Entry, b: Entry, other = store): Promise<boolean> {
  if (a.size !== b.size) return false
  const one = await store.read(a.path)
  try {
    const second = await other.read(b.path)
    try {
      return await sameBytes(one.stream(), second.stream())
    } finally {
      await second.close()
    }
  } finally {
    await one.close()
  }
}

const NOTHING = new Uint8Array()

/** Whether two streams have the same bytes; both are read at the same speed, and ended. */
export async function sameBytes(one: Readable, other: Readable): Promise<boolean> {
  const [ours, theirs] = [one[Symbol.asyncIterator](), other[Symbol.asyncIterator]()]
  let [a, b]: [Uint8Array, Uint8Array] = [NOTHING, NOTHING]
  try {
    for (;;) {
      a = a.length > 0 ? a : await next(ours)
      b = b.length > 0 ? b : await next(theirs)
      const length = Math.min(a.length, b.length)
      if (length === 0) return a.length === b.length
      if (Buffer.compare(a.subarray(0, length), b.subarray(0, length)) !== 0) return false
      a = a.subarray(length)
      b = b.subarray(length)
    }
  } finally {
    one.destroy()
    other.destroy()
  }
}

/** The next chunk, empty at the end. */
async function next(chunks: AsyncIterator<Buffer>): Promise<Uint8Array> {
  const { done, value } = await chunks.next()
  return done ? NOTHING : value
}
