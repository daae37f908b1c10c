import type { OpenFile } from '../../files/types.ts'
import { type ArchiveIndex, indexArchive } from './archive-index.ts'

/** Total number of entries in the cache. */
const MOST_KNOWN = 200_000

/** A cache of archive indexes by file version: users browse folder after folder. */
export class ArchiveIndexes {
  readonly #known = new Map<string, ArchiveIndex>()

  /** The index of an open file; see `indexArchive`. */
  async of(file: OpenFile, signal: AbortSignal): Promise<ArchiveIndex> {
    // Brotli is recognized by name, so the same bytes under another name may be another archive.
    const key = `${file.entry.version}/${file.entry.name}`
    const known = this.#known.get(key) ?? (await indexArchive(file, signal))
    this.#known.delete(key)
    this.#known.set(key, known)
    this.#forget()
    return known
  }

  /** Evicts the least recently used indexes, but never the last one. */
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
