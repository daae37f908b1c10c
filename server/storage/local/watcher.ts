import { type FSWatcher, watch } from 'node:fs'
import { nativePath, textFrom } from './native-path.ts'

/** Maximum number of watched folders; each costs the kernel and this process some memory. */
const MOST = 8192

/** Kernel notifications of changes in folders. */
export class Watcher {
  readonly #watchers = new Map<number, FSWatcher>()
  readonly #notify: (folder: number, name: string | undefined) => void
  readonly #missing = new Set<number>()

  /** @param notify receives the folder and the changed name, or no name if anything may have changed */
  constructor(notify: (folder: number, name: string | undefined) => void) {
    this.#notify = notify
  }

  /** Number of folders that could not be watched. */
  get missing(): number {
    return this.#missing.size
  }

  /** Watches a folder. @param replace also if another folder had its path before */
  add(folder: number, real: string, replace: boolean): void {
    if (this.#watchers.has(folder) && !replace) return
    this.drop(folder)
    this.#missing.add(folder)
    if (this.#watchers.size >= MOST) return
    try {
      const options = { persistent: false, encoding: 'buffer' } as const
      const watcher = watch(nativePath(real), options, (_event, name) =>
        this.#notify(folder, name === null ? undefined : textFrom(name)),
      )
      watcher.on('error', () => watcher.close())
      this.#watchers.set(folder, watcher)
      this.#missing.delete(folder)
    } catch {
      // The system's limit is reached; the folder counts as missing.
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
