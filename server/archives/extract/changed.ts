import type { OpenFile } from '../../files/types.ts'

const NOTHING = Buffer.alloc(0)

/**
 * Compares content that can be read only once with a file.
 * @returns all of the content, the equal prefix taken from the file; `undefined` when both are equal
 */
export async function changedContent(
  content: AsyncIterable<Uint8Array>,
  file: OpenFile,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const [ours, theirs] = [content[Symbol.asyncIterator](), file.stream()[Symbol.asyncIterator]()]
  let same = 0
  let [mine, other]: [Uint8Array, Uint8Array] = [NOTHING, NOTHING]
  for (;;) {
    if (mine.length === 0) mine = (await ours.next()).value ?? NOTHING
    if (other.length === 0) other = (await theirs.next()).value ?? NOTHING
    const length = Math.min(mine.length, other.length)
    if (length === 0 && mine.length === other.length) return undefined
    if (length === 0 || Buffer.compare(mine.subarray(0, length), other.subarray(0, length)) !== 0) break
    same += length
    mine = mine.subarray(length)
    other = other.subarray(length)
  }
  await theirs.return?.()
  return joined(file, same, mine, { [Symbol.asyncIterator]: () => ours })
}

async function* joined(file: OpenFile, same: number, next: Uint8Array, rest: AsyncIterable<Uint8Array>) {
  if (same > 0) yield* file.stream({ start: 0, end: same - 1 })
  yield next
  yield* rest
}
