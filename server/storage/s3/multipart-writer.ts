import { dropNote, keepNote } from './multipart-notes.ts'
import type { Meta } from './object-metadata.ts'
import { abortParts, beginParts, type Condition, completeParts, type Part, putObject, putPart } from './objects.ts'
import type { Scope } from './scope.ts'

const MIB = 1024 ** 2
/** Size of the first parts in bytes; stores require at least five MiB, and at most ten thousand parts. */
const PART = 8 * MIB
/** Parts after which the part size doubles. */
const GROW_AFTER = 1000

/** Size in bytes of a part, by its number from 1: 8 TiB in all. */
export const partSize = (number: number): number => PART * 2 ** Math.floor((number - 1) / GROW_AFTER)

/** Collects chunks into a part. */
export class PartBuffer {
  #pieces: Buffer[] = []
  size = 0

  add(piece: Buffer): void {
    this.#pieces.push(piece)
    this.size += piece.length
  }

  /** Removes and returns the first bytes, by default all. */
  take(size = this.size): Buffer {
    const all = Buffer.concat(this.#pieces)
    const rest = all.subarray(size)
    this.#pieces = rest.length > 0 ? [rest] : []
    this.size = rest.length
    return all.subarray(0, size)
  }

  /** All bytes, without removing them. */
  look(): Buffer {
    const all = Buffer.concat(this.#pieces)
    this.#pieces = [all]
    return all
  }
}

/** Writes an object chunk by chunk: a small one with a single PUT, a large one in parts. */
export class ObjectWriter {
  readonly #scope: Scope
  readonly #key: string
  readonly #meta: Meta
  readonly #gathered = new PartBuffer()
  readonly #parts: Part[] = []
  /** Including parts in progress. */
  #begun = 0
  #upload: { id: string; note: string } | undefined
  #sending: Promise<unknown> = Promise.resolve()
  size = 0

  constructor(scope: Scope, key: string, meta: Meta) {
    this.#scope = scope
    this.#key = key
    this.#meta = meta
  }

  /** One part is uploaded while the next is collected. */
  async add(piece: Buffer): Promise<void> {
    this.#gathered.add(piece)
    this.size += piece.length
    while (this.#gathered.size >= partSize(this.#begun + 1)) {
      await this.#sending
      const sending = this.#send(this.#gathered.take(partSize(this.#begun + 1)))
      // Its failure is thrown by the next wait.
      sending.catch(() => {})
      this.#sending = sending
    }
  }

  /** @returns the ETag of the object */
  async finish(condition: Condition): Promise<string> {
    const { client } = this.#scope
    await this.#sending
    if (!this.#upload) return putObject(client, this.#key, this.#gathered.look(), this.#meta, condition)
    if (this.#gathered.size > 0) await this.#send(this.#gathered.take())
    const etag = await completeParts(client, this.#key, this.#upload.id, this.#parts, condition)
    await this.#forget()
    return etag
  }

  /** Removes the parts sent so far. */
  async abort(): Promise<void> {
    await this.#sending.catch(() => {})
    if (!this.#upload) return
    await abortParts(this.#scope.client, this.#key, this.#upload.id).catch(() => {})
    await this.#forget()
  }

  async #send(body: Buffer): Promise<void> {
    const { client } = this.#scope
    this.#begun += 1
    const number = this.#begun
    if (!this.#upload) {
      const id = await beginParts(client, this.#key, this.#meta)
      this.#upload = { id, note: await keepNote(this.#scope, { key: this.#key, id }) }
    }
    this.#parts.push(await putPart(client, this.#key, this.#upload.id, number, body))
  }

  async #forget(): Promise<void> {
    const note = this.#upload?.note
    this.#upload = undefined
    if (note !== undefined) await dropNote(this.#scope, note)
  }
}
