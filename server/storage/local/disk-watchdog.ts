import { AppError } from '../../errors.ts'
import { mountOf } from './mounts.ts'

/** A resource obtained from a disk that must be released. */
export interface Held {
  close(): void
}

/** Threads of the libuv pool that one disk may occupy while it is unknown whether it responds; see bin/filigree. */
const AT_ONCE = 4
/** Milliseconds that a disk may take for its first response; spinning up takes ten seconds. */
const PATIENCE = 20_000

/** An operation queued for a slot or waiting for the disk. */
interface Attempt {
  begin(): void
  giveUp(): void
  /** When it was queued, or was started. */
  since: number
}

/** By mount point. */
const disks = new Map<string, DiskWatchdog>()

/** The watchdog of the disk that holds a real path. */
export function watchdogOf(path: string): DiskWatchdog {
  const mount = mountOf(path)
  const watchdog = disks.get(mount) ?? new DiskWatchdog()
  disks.set(mount, watchdog)
  return watchdog
}

/**
 * Limits concurrent operations on one disk. A hanging disk would otherwise occupy every thread of the libuv pool, and
 * block all other disks: a system call cannot be cancelled. So only a few operations run at once, those that wait too
 * long fail, and while the disk hangs only one is started from time to time as a probe.
 */
export class DiskWatchdog {
  readonly #patience: number
  readonly #underWay = new Set<Attempt>()
  readonly #waiting = new Set<Attempt>()
  /** When the disk responded last, or was idle. */
  #answered = 0
  #watch: NodeJS.Timeout | undefined

  constructor(patience = PATIENCE) {
    this.#patience = patience
  }

  /** @throws AppError `unavailable` when the disk does not respond; a late result is released */
  take<T extends Held>(reach: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let over = false
    const settle = (end: () => void) => {
      if (!over) end()
      over = true
    }
    const attempt: Attempt = {
      since: performance.now(),
      giveUp: () => settle(() => reject(new AppError('unavailable', 'the disk does not respond'))),
      begin: () => {
        void reach()
          .then(
            held => (over ? held.close() : settle(() => resolve(held))),
            thrown => settle(() => reject(thrown)),
          )
          .finally(() => this.#end(attempt))
      },
    }
    this.#admit(attempt)
    return promise
  }

  #admit(attempt: Attempt): void {
    if (this.#underWay.size === 0) this.#answered = attempt.since
    const hangs = attempt.since - this.#answered > this.#patience
    if (hangs && !this.#mayProbe(attempt.since)) attempt.giveUp()
    else if (this.#underWay.size < AT_ONCE) this.#begin(attempt)
    else this.#waiting.add(attempt)
  }

  /** Whether the last probe has timed out. */
  #mayProbe(now: number): boolean {
    if (this.#underWay.size >= AT_ONCE) return false
    return [...this.#underWay].every(({ since }) => now - since > this.#patience)
  }

  #begin(attempt: Attempt): void {
    attempt.since = performance.now()
    this.#underWay.add(attempt)
    this.#watch ??= setInterval(() => this.#check(), this.#patience / 4).unref()
    attempt.begin()
  }

  #end(attempt: Attempt): void {
    this.#answered = performance.now()
    this.#underWay.delete(attempt)
    const [next] = this.#waiting
    if (next) {
      this.#waiting.delete(next)
      this.#begin(next)
    }
    if (this.#underWay.size > 0) return
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  /** Fails operations that have run for too long, and those queued behind them. */
  #check(): void {
    const latest = performance.now() - this.#patience
    for (const attempt of this.#underWay) if (attempt.since < latest) attempt.giveUp()
    if (this.#answered >= latest) return
    for (const attempt of this.#waiting) attempt.giveUp()
    this.#waiting.clear()
  }
}
