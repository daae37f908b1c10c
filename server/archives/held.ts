import type { OpenFile } from '../files/types.ts'

/** Files that stay open from the plan of an archive until it was sent: those of a folder in which people work. */
const MOST = 16

/** Files that are held open, so that an archive has what it announced of them, whatever replaces them. */
export class HeldFiles {
  readonly #files = new Set<OpenFile>()

  /** Takes a file over, unless it has enough of them. */
  take(file: OpenFile): boolean {
    if (this.#files.size < MOST) this.#files.add(file)
    return this.#files.has(file)
  }

  has(file: OpenFile): boolean {
    return this.#files.has(file)
  }

  /** Idempotent. */
  async close(): Promise<void> {
    const files = [...this.#files]
    this.#files.clear()
    await Promise.all(files.map(file => file.close()))
  }
}
