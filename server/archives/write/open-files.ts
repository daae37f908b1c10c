import type { OpenFile } from '../../files/types.ts'

/** Maximum number of files held open from planning an archive until it is sent: enough for a folder in active use. */
const MOST = 16

/** Files held open, so that an archive contains their announced content, whatever replaces them. */
export class HeldFiles {
  readonly #files = new Set<OpenFile>()

  /** Takes ownership of a file, unless the limit is reached. @returns whether it did */
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
