import { AppError } from '../../errors.ts'
import { mountOf } from './mounts.ts'

/** What is got from a disk and has to be given back. */
export interface Held {
  close(): void
}

/** Threads of the runtime that one disk may occupy while nobody knows whether it answers; see bin/filigree. */
const AT_ONCE = 4
/** Milliseconds that a disk may take for a first answer; one that slept needs ten seconds to turn again. */
const PATIENCE = 20_000

/** An attempt that waits for its turn or for the disk. */
interface Attempt {
  begin(): void
  giveUp(): void
  /** When it began to wait, or was let through. */
  since: number
}

/** By where disks are mounted. */
const disks = new Map<string, Turns>()

/** The turns at the disk that a real path is on. */
export function turnsAt(path: string): Turns {
  const mount = mountOf(path)
  const turns = disks.get(mount) ?? new Turns()
  disks.set(mount, turns)
  return turns
}

/**
 * The turns at one disk. One that hangs would otherwise take every thread of the runtime, and with them all other
 * disks: a system call cannot be taken back. So only a few may be at it, whoever waits too long is told, and while it
 * hangs only one is let through from time to time, to see whether it answers again.
 */
export class Turns {
  readonly #patience: number
  readonly #underWay = new Set<Attempt>()
  readonly #waiting = new Set<Attempt>()
  /** When the disk answered last, or had nothing to answer. */
  #answered = 0
  #watch: NodeJS.Timeout | undefined

  constructor(patience = PATIENCE) {
    this.#patience = patience
  }

  /** @throws AppError `unavailable` when the disk does not answer; what it gives later is given back */
  take<T extends Held>(reach: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let over = false
    const settle = (end: () => void) => {
      if (!over) end()
      over = true
    }
    const attempt: Attempt = {
      since: performance.now(),
      giveUp: () => settle(() => reject(new AppError('unavailable', 'the disk does not answer'))),
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

  /** Whether the last that was let through had its time. */
  #mayProbe(now: number): boolean {
    if (this.#underWay.size >= AT_ONCE) return false
    return [...this.#underWay].every(({ since }) => now - since > this.#patience)
  }

  #begin(attempt: Attempt): void {
    attempt.since = performance.now()
    this.#underWay.add(attempt)
    this.#watch ??= setInterval(() => this.#look(), this.#patience / 4).unref()
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

  /** Gives up what has been under way for too long, and whoever waits behind it. */
  #look(): void {
    const latest = performance.now() - this.#patience
    for (const attempt of this.#underWay) if (attempt.since < latest) attempt.giveUp()
    if (this.#answered >= latest) return
    for (const attempt of this.#waiting) attempt.giveUp()
    this.#waiting.clear()
  }
}
