/** System errors that say that the disk does not return the bytes of a file, or that its own checksums differ. */
const READ_ERRORS: ReadonlySet<string> = new Set(['EIO', 'EUCLEAN', 'EBADMSG'])

/** Whether an error, or what caused it, is the disk's. */
export function isReadError(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && READ_ERRORS.has(String(error.code))) return true
  }
  return false
}
