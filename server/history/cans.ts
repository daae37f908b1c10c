import { setTimeout as pause } from 'node:timers/promises'
import { areaId } from './kept.store.ts'
import { compare, type RecoveryDeps } from './recovery.ts'

/** Milliseconds for which a listing of the trash waits for a disk. */
const PATIENCE = 1000
/** Milliseconds in which a folder can change without another modification time. */
const COARSE = 2000

/** Follows the trash cans of desktop programs: what they put there is recorded when the trash is listed. */
export class Cans {
  readonly #deps: RecoveryDeps
  /** By the id of the area: its names when it was last compared. */
  readonly #known = new Map<string, string>()
  #running: Promise<void> | undefined

  constructor(deps: RecoveryDeps) {
    this.#deps = deps
  }

  /** Records what changed since the last call; a slow disk is recorded later. */
  async refresh(): Promise<void> {
    this.#running ??= this.#compare()
      .catch(() => {})
      .finally(() => {
        this.#running = undefined
      })
    const late = new AbortController()
    const { signal } = late
    await Promise.race([this.#running, pause(PATIENCE, undefined, { signal }).catch(() => {})])
    late.abort()
  }

  async #compare(): Promise<void> {
    const { db, kept } = this.#deps
    for (const can of (await kept.cans?.()) ?? []) {
      const began = Date.now()
      const id = await areaId(db, can)
      const stamp = can.stamp ?? ''
      if (this.#known.get(id) === stamp) continue
      await compare(this.#deps, { ...can, id })
      if (timeOf(stamp) < began - COARSE) this.#known.set(id, stamp)
    }
  }
}

/** The latest time in a stamp, in milliseconds since the epoch. */
const timeOf = (stamp: string): number => Math.max(...stamp.split('/').map(time => Number(time) / 1e6))
