import { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ByteRange, OpenFile, Passing } from '../files/types.ts'
import { plainSocketOf } from './plain-socket.ts'

/** Size of a buffer in bytes: one is on its way to the socket while the next is read. */
const CHUNK = 256 * 1024
/** Bodies of fewer bytes are only read: a pass costs a turn of another thread. */
const WORTH_PASSING = 1024 ** 2
/** Bytes that are passed at once: what a client that is to be disconnected may still get. */
const PASSED_AT_ONCE = 32 * 1024 ** 2
/** Bytes that are read and sent between two passes, which waits until the socket takes more. */
const BETWEEN = 64 * 1024
/** The same, at most, while nothing can be passed: the file is not in memory, or the client is slow. */
const MOST_BETWEEN = 16 * 1024 ** 2
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
  readonly #passTo: OpenFile['passTo']
  #end: number
  #position: number

  /** @param passTo see `OpenFile.passTo`; of the same bytes */
  constructor(read: ReadInto, { start, end }: ByteRange, passTo?: OpenFile['passTo']) {
    super()
    this.#read = read
    this.#passTo = passTo
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
    if (this.#passTo && this.#left > WORTH_PASSING) {
      // The headers leave with the first bytes, and nothing may overtake them.
      await this.#sendUntil(to, this.#position + BETWEEN)
      const socket = this.destroyed ? undefined : plainSocketOf(to)
      const passing = socket === undefined ? undefined : this.#passTo(socket)
      if (passing) await this.#pass(to, passing)
    }
    await this.#sendUntil(to, this.#end + 1)
    if (!this.destroyed) to.end()
  }

  get #left(): number {
    return this.#end + 1 - this.#position
  }

  /** Reads and sends the bytes before an offset, the next ones while the last are sent. */
  async #sendUntil(to: ServerResponse, until: number): Promise<void> {
    let sent: Promise<void> | undefined
    while (this.#position < Math.min(until, this.#end + 1) && !this.destroyed) {
      const memory = spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK)
      const most = Math.min(until, this.#end + 1) - this.#position
      const [bytes] = await Promise.all([this.#fill(memory.subarray(0, most)), sent])
      if (bytes.length > 0) sent = written(to, bytes).then(() => giveBack(memory))
      else giveBack(memory)
    }
    await sent
  }

  async #pass(to: ServerResponse, passing: Passing): Promise<void> {
    try {
      let between = BETWEEN
      while (this.#left > 0 && plainSocketOf(to) !== undefined) {
        const asked = Math.min(this.#left, PASSED_AT_ONCE)
        const passed = await passing.pass(this.#position, asked)
        this.#position += passed
        between = passed > 0 ? BETWEEN : Math.min(2 * between, MOST_BETWEEN)
        if (passed < asked) await this.#sendUntil(to, this.#position + between)
      }
    } finally {
      await passing.close()
    }
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
