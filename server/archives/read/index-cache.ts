import type { OpenFile } from '../../files/types.ts'
import { type ArchiveIndex, indexArchive } from './archive-index.ts'

/** Things of all remembered archives together. */
const MOST_KNOWN = 200_000

/** What is in archives, remembered while they stay as they are: one looks into folder after folder. */
export class ArchiveIndexes {
  readonly #known = new Map<string, ArchiveIndex>()

  /** What is in an opened file; see `indexArchive`. */
  async of(file: OpenFile, signal: AbortSignal): Promise<ArchiveIndex> {
    // One that is told by its name alone is another with the same bytes and another name.
    const key = `${file.entry.version}/${file.entry.name}`
    const known = this.#known.get(key) ?? (await indexArchive(file, signal))
    this.#known.delete(key)
    this.#known.set(key, known)
    this.#forget()
    return known
  }

  /** Lets go of those that nobody has looked into for longest, down to the last. */
  #forget(): void {
    let all = 0
    for (const { size } of this.#known.values()) all += size
    for (const [key, { size }] of this.#known) {
      if (all <= MOST_KNOWN || this.#known.size === 1) return
      this.#known.delete(key)
      all -= size
    }
  }
}
