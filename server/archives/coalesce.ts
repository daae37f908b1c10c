/** Bytes that go out at once. */
const ROOM = 64 * 1024
const NONE: readonly Uint8Array[] = []

/** Collects small pieces in one piece of memory, since handing each out by itself costs more than copying it. */
export class FewPieces {
  readonly #memory = Buffer.allocUnsafeSlow(ROOM)
  #filled = 0

  /** @returns what is to be handed out now, each before another is added: nothing while there is room */
  add(piece: Uint8Array): readonly Uint8Array[] {
    if (this.#filled + piece.length > ROOM) return [...this.rest(), piece]
    this.#memory.set(piece, this.#filled)
    this.#filled += piece.length
    return NONE
  }

  /** What was added and not handed out yet. */
  rest(): readonly Uint8Array[] {
    if (this.#filled === 0) return NONE
    const rest = this.#memory.subarray(0, this.#filled)
    this.#filled = 0
    return [rest]
  }
}
