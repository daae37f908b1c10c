import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

const flushAsync = promisify(fdatasync)

/** A file that other code in this process writes, flushed to the disk off the event loop. */
export class FlushedFile {
  readonly #path: string
  #descriptor: number | undefined
  #last: Promise<void> = Promise.resolve()
  /** The flush that has not begun yet, shared by all callers until it does. */
  #next: Promise<void> | undefined

  /** @param path of a file that need not exist before the first flush, and is never replaced after it */
  constructor(path: string) {
    this.#path = path
  }

  /** Settles when everything written until now is on the disk. Throws system errors. */
  flush(): Promise<void> {
    this.#next ??= this.#after(this.#last)
    return this.#next
  }

  /** Closes the file once no flush is under way. */
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
        // Some systems flush only files opened for writing.
        this.#descriptor ??= openSync(this.#path, 'r+')
        return flushAsync(this.#descriptor)
      })
    this.#last = begun
    return begun
  }
}
