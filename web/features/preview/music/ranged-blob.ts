/** Bytes from an offset; all of them must be in the file. */
export type ReadRange = (start: number, length: number) => Promise<Uint8Array<ArrayBuffer>>

/** A file that is read by ranges, as slices of it are. */
export class RangedBlob extends Blob {
  readonly #read: ReadRange
  readonly #start: number
  readonly #end: number

  constructor(read: ReadRange, start: number, end: number) {
    super()
    this.#read = read
    this.#start = start
    this.#end = end
  }

  override get size(): number {
    return this.#end - this.#start
  }

  override slice(start = 0, end = this.size): Blob {
    return new RangedBlob(this.#read, this.#start + start, Math.min(this.#start + end, this.#end))
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(await this.#read(this.#start, this.size)).buffer
  }
}
