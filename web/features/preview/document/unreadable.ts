/** Why a document is not shown: corrupt, password-protected, not convertible to pages, or too large. */
export type Unreadable = 'damaged' | 'encrypted' | 'unprepared' | 'tooLarge'

/** A document that cannot be shown; a retry cannot help. */
export class UnreadableError extends Error {
  readonly reason: Unreadable
  constructor(reason: Unreadable, cause?: unknown) {
    super(reason, { cause })
    this.name = 'UnreadableError'
    this.reason = reason
  }
}
