/** Bytes per chunk. */
const ROOM = 64 * 1024
const NONE: readonly Uint8Array[] = []

/** Collects small chunks in one buffer, since passing on each costs more than copying it. */
export class ChunkBuffer {
  readonly #memory = Buffer.allocUnsafeSlow(ROOM)
  #filled = 0

  /** @returns chunks to pass on now, before the next call of `add`: none while there is room */
  add(chunk: Uint8Array): readonly Uint8Array[] {
    if (this.#filled + chunk.length > ROOM) return [...this.rest(), chunk]
    this.#memory.set(chunk, this.#filled)
    this.#filled += chunk.length
    return NONE
  }

  /** The remaining bytes. */
  rest(): readonly Uint8Array[] {
    if (this.#filled === 0) return NONE
    const rest = this.#memory.subarray(0, this.#filled)
    this.#filled = 0
    return [rest]
  }
}
