/** Why a document is not shown: bytes are missing or wrong, a password keeps them, or there are too many. */
export type Unreadable = 'damaged' | 'encrypted' | 'tooLarge'

/** A document that cannot be shown, whatever is tried. */
export class UnreadableError extends Error {
  readonly reason: Unreadable
  constructor(reason: Unreadable, cause?: unknown) {
    super(reason, { cause })
    this.name = 'UnreadableError'
    this.reason = reason
  }
}
