import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

const flushAsync = promisify(fdatasync)

/** A file that somebody else in this process writes, and that is brought to the disk beside the event loop. */
export class FlushedFile {
  readonly #path: string
  #descriptor: number | undefined
  #last: Promise<void> = Promise.resolve()
  /** The flush that has not begun yet, which all share who come until then. */
  #next: Promise<void> | undefined

  /** @param path of a file that need not be there before the first flush, and then stays the same one */
  constructor(path: string) {
    this.#path = path
  }

  /** Settles when all that was written until now is on the disk. Throws system errors. */
  flush(): Promise<void> {
    this.#next ??= this.#after(this.#last)
    return this.#next
  }

  /** Once nothing is under way any more. */
  close(): void {
    void this.#last
      .catch(() => {})
      .then(() => {
        if (this.#descriptor !== undefined) closeSync(this.#descriptor)
        this.#descriptor = undefined
      })
  }

  #after(last: Promise<void>): Promise<void> {
    const begun = last
      .catch(() => {})
      .then(() => {
        this.#next = undefined
        // Some systems flush only what may be written.
        this.#descriptor ??= openSync(this.#path, 'r+')
        return flushAsync(this.#descriptor)
      })
    this.#last = begun
    return begun
  }
}
