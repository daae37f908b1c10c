import { type FSWatcher, watch } from 'node:fs'
import { nativePath, textFrom } from '../native-path.ts'

/** Folders that are watched; each costs the system and this process some memory. */
const MOST = 8192

/** The system's notices of changes in folders. */
export class Watches {
  readonly #watchers = new Map<number, FSWatcher>()
  readonly #tell: (folder: number, name: string | undefined) => void
  readonly #missing = new Set<number>()

  /** @param tell what changed in a folder; without a name, anything */
  constructor(tell: (folder: number, name: string | undefined) => void) {
    this.#tell = tell
  }

  /** Folders that could not be watched. */
  get missing(): number {
    return this.#missing.size
  }

  /** Watches a folder from now on. @param anew also if another one lay at its place before */
  add(folder: number, real: string, anew: boolean): void {
    if (this.#watchers.has(folder) && !anew) return
    this.drop(folder)
    this.#missing.add(folder)
    if (this.#watchers.size >= MOST) return
    try {
      const options = { persistent: false, encoding: 'buffer' } as const
      const watcher = watch(nativePath(real), options, (_event, name) =>
        this.#tell(folder, name === null ? undefined : textFrom(name)),
      )
      watcher.on('error', () => watcher.close())
      this.#watchers.set(folder, watcher)
      this.#missing.delete(folder)
    } catch {
      // The system watches no more; it stays among the missing.
    }
  }

  drop(folder: number): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
    this.#missing.delete(folder)
  }

  close(): void {
    for (const folder of [...this.#watchers.keys()]) this.drop(folder)
  }
}
