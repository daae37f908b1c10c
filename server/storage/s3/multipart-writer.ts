import type { ObjectStore } from './client.ts'
import { type Part, putPart } from './objects.ts'

const MIB = 1024 ** 2
/** Size of the first parts in bytes; stores require at least five MiB, and at most ten thousand parts. */
const PART = 8 * MIB
/** Parts after which the part size doubles. */
const GROW_AFTER = 1000

/** Size in bytes of a part, by its number from 1: 8 TiB in all. */
export const partSize = (number: number): number => PART * 2 ** Math.floor((number - 1) / GROW_AFTER)

const FIRST_MEMORY = 64 * 1024

/** Collects chunks, which are copied. */
export class PartBuffer {
  #memory = Buffer.alloc(0)
  size = 0

  add(piece: Buffer): void {
    const needed = this.size + piece.length
    if (needed > this.#memory.length) {
      const memory = Buffer.allocUnsafeSlow(Math.max(needed, FIRST_MEMORY, 2 * this.#memory.length))
      this.#memory.copy(memory, 0, 0, this.size)
      this.#memory = memory
    }
    this.size += piece.copy(this.#memory, this.size)
  }

  /** Removes and returns the first bytes. */
  take(size: number): Buffer {
    const rest = this.#memory.subarray(size, this.size)
    const taken = this.#memory.subarray(0, size)
    this.#memory = Buffer.alloc(0)
    this.size = 0
    this.add(rest)
    return taken
  }

  /** All bytes, without removing them. */
  look(): Buffer {
    return this.#memory.subarray(0, this.size)
  }
}

/** How a `PartWriter` begins. */
export interface PartWriterStart {
  /** Begins the multipart upload. @returns its id */
  begin(): Promise<string>
  /** The id of one that has begun, and its parts. */
  upload?: string | undefined
  parts?: readonly Part[]
  /** The bytes behind them. */
  tail?: Buffer
  /** Bytes that follow a part before it is sent. Default: 0. */
  heldBack?: number
}

/** Sends bytes as the parts of a multipart upload: one is under way while the next is collected. */
export class PartWriter {
  readonly #client: ObjectStore
  readonly #key: string
  readonly #begin: () => Promise<string>
  readonly #heldBack: number
  /** Including a part under way. */
  #begun: number
  #sending: Promise<unknown> = Promise.resolve()
  readonly parts: Part[]
  readonly tail = new PartBuffer()
  upload: string | undefined
  size: number

  constructor(client: ObjectStore, key: string, { begin, upload, parts = [], tail, heldBack = 0 }: PartWriterStart) {
    this.#client = client
    this.#key = key
    this.#begin = begin
    this.#heldBack = heldBack
    this.upload = upload
    this.parts = [...parts]
    this.#begun = parts.length
    if (tail) this.tail.add(tail)
    this.size = this.sent + this.tail.size
  }

  /** Bytes in complete parts. */
  get sent(): number {
    return this.parts.reduce((sum, { size }) => sum + size, 0)
  }

  async add(chunk: Buffer): Promise<void> {
    this.tail.add(chunk)
    this.size += chunk.length
    while (this.tail.size >= partSize(this.#begun + 1) + this.#heldBack) await this.#sendNext()
  }

  /** Resolves when nothing is under way. @throws what went wrong */
  async settle(): Promise<void> {
    await this.#sending
  }

  /** Sends all full parts. */
  async sendFull(): Promise<void> {
    while (this.tail.size >= partSize(this.#begun + 1)) await this.#sendNext()
    await this.settle()
  }

  /** Sends everything. */
  async end(): Promise<void> {
    await this.sendFull()
    if (this.tail.size > 0) await this.#sendNext(this.tail.size)
    await this.settle()
  }

  async #sendNext(size = partSize(this.#begun + 1)): Promise<void> {
    await this.#sending
    this.#begun += 1
    const sending = this.#send(this.#begun, this.tail.take(size))
    // Its failure is thrown by the next wait.
    sending.catch(() => {})
    this.#sending = sending
  }

  async #send(number: number, body: Buffer): Promise<void> {
    this.upload ??= await this.#begin()
    this.parts.push(await putPart(this.#client, this.#key, this.upload, number, body))
  }
}
