import { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ByteRange } from '../files/types.ts'

/** Size of a buffer in bytes: one is on its way to the socket while the next is read. */
const CHUNK = 256 * 1024
/** Free buffers kept for the next download. */
const KEPT = 32

/**
 * Fills a buffer from an offset. @returns the number of bytes read, 0 at the end where the size is unknown; or rejects
 */
export type ReadInto = (into: Buffer, position: number) => Promise<number>

/**
 * Bytes read chunk by chunk, such as those of a range of a file, as the body of a response. Buffers are reused once the
 * socket has accepted their content: allocating one per chunk would cost more garbage collection than reading the disk.
 */
export class ReadBody extends Readable {
  readonly #read: ReadInto
  #end: number
  #position: number

  constructor(read: ReadInto, { start, end }: ByteRange) {
    super()
    this.#read = read
    this.#position = start
    this.#end = end
  }

  /** A consumer other than a response may retain the bytes: it gets buffers of its own. */
  override _read(): void {
    const left = this.#end + 1 - this.#position
    if (left <= 0) return void this.push(null)
    this.#fill(Buffer.allocUnsafeSlow(Math.min(CHUNK, left))).then(
      bytes => this.push(bytes.length > 0 ? bytes : null),
      (error: Error) => this.destroy(error),
    )
  }

  override pipe<T extends NodeJS.WritableStream>(to: T, options?: { end?: boolean }): T {
    if (!(to instanceof ServerResponse)) return super.pipe(to, options)
    this.#send(to).then(
      () => this.resume(),
      (error: Error) => this.destroy(error),
    )
    return to
  }

  async #send(to: ServerResponse): Promise<void> {
    let sent: Promise<void> | undefined
    while (this.#position <= this.#end && !this.destroyed) {
      const memory = spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK)
      const [bytes] = await Promise.all([this.#fill(memory.subarray(0, this.#end + 1 - this.#position)), sent])
      if (bytes.length > 0) sent = written(to, bytes).then(() => giveBack(memory))
      else giveBack(memory)
    }
    await sent
    if (!this.destroyed) to.end()
  }

  async #fill(memory: Buffer): Promise<Buffer> {
    const count = await this.#read(memory, this.#position)
    this.#position += count
    if (count === 0) this.#end = this.#position - 1
    return memory.subarray(0, count)
  }
}

const spare: Buffer[] = []

function giveBack(memory: Buffer): void {
  if (spare.length < KEPT) spare.push(memory)
}

/** Until the socket has accepted the bytes: only then the buffer is free. */
function written(to: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => to.write(bytes, error => (error ? reject(error) : resolve())))
}
