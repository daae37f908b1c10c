import type { Db } from '../db/schema.ts'
import type { Step } from '../files/change-records.ts'
import type { MarkedNow } from '../files/mark-records.ts'
import { LIMITS } from '../limits.ts'
import { type NotedFile, writeRecent } from './recent.store.ts'

interface RecentWritesDeps {
  db: Db
  log: { error(facts: object, text: string): void }
}

/**
 * Collects what users open and change, and writes it a few seconds later, so that no request waits for it. A killed
 * process loses these seconds.
 */
export class RecentWrites {
  readonly #deps: RecentWritesDeps
  /** By user, then by identity, the latest last. */
  #pending = new Map<number, Map<string, NotedFile>>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(deps: RecentWritesDeps) {
    this.#deps = deps
  }

  opened(userId: number, { identity, place }: MarkedNow): void {
    this.#note(userId, { identity, place, was: [], openedAt: Date.now() })
  }

  /** Notes the files that steps made or wrote. */
  changed(userId: number, steps: readonly Step[]): void {
    for (const { kind, place, isFolder, was, made } of steps.slice(-LIMITS.recents)) {
      if (isFolder || made === undefined || (kind !== 'make' && kind !== 'replace')) continue
      this.#note(userId, { identity: made, place, was: was === undefined ? [] : [was], changedAt: Date.now() })
    }
  }

  /** Writes what was noted so far. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  close(): Promise<void> {
    return this.flush()
  }

  #note(userId: number, file: NotedFile): void {
    const files = this.#pending.get(userId) ?? new Map<string, NotedFile>()
    this.#pending.set(userId, files)
    const before = [file.identity, ...file.was].map(identity => files.get(identity)).find(Boolean)
    if (before) files.delete(before.identity)
    const was = [...(before?.was ?? []), ...(before ? [before.identity] : []), ...file.was]
    const former = [...new Set(was)].filter(identity => identity !== file.identity)
    files.set(file.identity, { ...before, ...file, was: former })
    // Of opened and of changed files so many are listed.
    if (files.size > 2 * LIMITS.recents) files.delete(files.keys().next().value ?? '')
    this.#timer ??= setTimeout(() => void this.flush(), LIMITS.recentDelay).unref()
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const pending = this.#pending
    this.#pending = new Map()
    for (const [userId, files] of pending) {
      await writeRecent(this.#deps.db, userId, [...files.values()]).catch(err =>
        this.#deps.log.error({ err }, 'recent files were not written'),
      )
    }
  }
}
