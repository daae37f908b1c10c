import type { Logger } from 'pino'
import type { Directory } from './directory.ts'
import { lastRun } from './runs.store.ts'
import { type SyncDeps, syncDirectory } from './sync.ts'

/** Milliseconds between polls for what is due. */
const EVERY = 60_000

export interface PeriodicSyncDeps extends SyncDeps {
  log: Pick<Logger, 'info' | 'warn'>
}

/** Compares accounts with their directories at the intervals of the host, on one server at a time. */
export class PeriodicSync {
  readonly #deps: PeriodicSyncDeps
  readonly #directories: readonly Directory[]
  #timer: NodeJS.Timeout | undefined
  #running = Promise.resolve()

  constructor(deps: PeriodicSyncDeps, directories: readonly Directory[]) {
    this.#deps = deps
    this.#directories = directories
  }

  start(): void {
    const due = this.#directories.filter(({ settings }) => settings.syncEvery > 0)
    if (due.length === 0) return
    const tick = () => {
      this.#running = this.#running.then(async () => {
        for (const directory of due) await this.#tick(directory)
      })
    }
    const least = Math.min(EVERY, ...due.map(({ settings }) => settings.syncEvery))
    this.#timer = setInterval(tick, least).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  async #tick(directory: Directory): Promise<void> {
    const { log, db } = this.#deps
    const { slug, syncEvery } = directory.settings
    try {
      const { at = 0 } = (await lastRun(db, slug)) ?? {}
      if (at + syncEvery > Date.now()) return
      const summary = await syncDirectory(this.#deps, directory)
      log.info({ directory: slug, ...summary }, 'the accounts of a directory were compared')
    } catch (error) {
      const { message } = error as Error
      log.warn({ directory: slug, reason: message }, 'the accounts of a directory could not be compared')
    }
  }
}
