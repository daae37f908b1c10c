import { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ByteRange } from '../files/types.ts'

/** Bytes on their way to a socket at a time: one such piece while the next is read. */
const PIECE = 256 * 1024
/** Pieces of memory kept for the next download when nobody uses them. */
const KEPT = 32

/** Fills memory from an offset. @returns how many bytes, at least one; or rejects */
export type ReadInto = (into: Buffer, position: number) => Promise<number>

/**
 * The bytes of a range of a file as the body of an answer. Memory is used again once the socket has taken its content
 * over: new memory for every piece would keep the garbage collector busier than the disk.
 */
export class FileBody extends Readable {
  readonly #read: ReadInto
  readonly #end: number
  #position: number

  constructor(read: ReadInto, { start, end }: ByteRange) {
    super()
    this.#read = read
    this.#position = start
    this.#end = end
  }

  /** Whoever takes the bytes in another way than an answer does may keep them: they get memory of their own. */
  override _read(): void {
    const left = this.#end + 1 - this.#position
    if (left <= 0) return void this.push(null)
    this.#fill(Buffer.allocUnsafeSlow(Math.min(PIECE, left))).then(
      bytes => this.push(bytes),
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
      const memory = spare.pop() ?? Buffer.allocUnsafeSlow(PIECE)
      const [bytes] = await Promise.all([this.#fill(memory.subarray(0, this.#end + 1 - this.#position)), sent])
      sent = written(to, bytes).then(() => giveBack(memory))
    }
    await sent
    if (!this.destroyed) to.end()
  }

  async #fill(memory: Buffer): Promise<Buffer> {
    const count = await this.#read(memory, this.#position)
    this.#position += count
    return memory.subarray(0, count)
  }
}

const spare: Buffer[] = []

function giveBack(memory: Buffer): void {
  if (spare.length < KEPT) spare.push(memory)
}

/** Until the socket has the bytes: their memory is free only then. */
function written(to: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => to.write(bytes, error => (error ? reject(error) : resolve())))
}
