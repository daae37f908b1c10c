import type { FilePath } from '../../shared/path.ts'
import { ROOT, trustedChild } from '../../shared/path.ts'
import type { Audit } from '../audit/audit.ts'
import type { KeptArea, KeptThings } from '../storage/driver.ts'
import { type KeptRow, keptIn, noteCounted, totalsIn, uncounted } from './kept.store.ts'
import { areasNow, compare, expire, type RecoveryDeps, recover } from './recovery.ts'

export interface UpkeepDeps extends RecoveryDeps {
  audit: Pick<Audit, 'record'>
  log: { error(facts: object, text: string): void }
  /** No other process uses this database: everything recorded before the start belongs to a process that is gone. */
  isOnlyServer: boolean
  keep: KeepLimits
  now?: () => number
}

/** How long deleted things are kept. */
export interface KeepLimits {
  /** 0 for no limit. */
  days: number
  /** Percentage of a file system that they may fill. */
  share: number
  /** Free bytes below which they go, the oldest first; a share of the file system unless given. */
  spare?: number | undefined
  /** Milliseconds for which a thing is kept although room is short. */
  least: number
}

/** Milliseconds between two runs. */
const RECOVER_EVERY = 10 * 60_000
const EXPIRE_EVERY = 3_600_000
const DAY = 86_400_000
/** Milliseconds for which a thing is kept when less than half of the spare room is free. */
const LEAST_IN_NEED = 3_600_000
/** Room that the trash leaves free: a share of the file system, up to this many bytes. */
const SPARE = { share: 0.05, most: 20 * 2 ** 30 }
/** More than the spare room is freed, so that not every run has to. */
const SPARE_AFTER = 1.2
/** The brake of expiry by age: a share of the things in an area, but always some. */
const MOST_PER_RUN = { share: 0.2, always: 100 }
/** Folders counted in one run. */
const COUNTED = 200
const PAGE = 500

/** Keeps the trash in order: settles interrupted operations, counts folders, deletes what has expired. */
export class TrashUpkeep {
  readonly #deps: UpkeepDeps
  readonly #now: () => number
  readonly #startedAt: number
  #timers: NodeJS.Timeout[] = []
  #running: Promise<void> = Promise.resolve()
  #closed = false

  constructor(deps: UpkeepDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    this.#startedAt = this.#now()
  }

  /** Runs at once, and then at intervals. */
  start(): void {
    const then = (act: () => Promise<void>) => () => {
      this.#running = this.#running
        .then(act)
        .catch(err => this.#deps.log.error({ err }, 'the trash was not looked after'))
    }
    const [recovering, expiring] = [then(() => this.recover()), then(() => this.expire())]
    recovering()
    expiring()
    this.#timers = [setInterval(recovering, RECOVER_EVERY).unref(), setInterval(expiring, EXPIRE_EVERY).unref()]
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.#running
  }

  /** Settles what processes left behind. */
  async recover(): Promise<void> {
    const old = this.#now() - RECOVER_EVERY
    await recover(this.#deps, this.#deps.isOnlyServer ? Math.max(this.#startedAt, old) : old)
  }

  /** Compares the areas with their rows, deletes what has expired, and frees the space; on one server at a time. */
  async expire(): Promise<void> {
    await this.#deps.cluster.lock('retention', async () => {
      const areas = await areasNow(this.#deps)
      for (const area of areas) if (!this.#closed) await compare(this.#deps, area)
      await this.#count()
      let gone = 0
      for (const area of areas) if (!this.#closed) gone += await this.#expireIn(area)
      if (gone > 0) await this.#deps.audit.record({ ...OWN, target: String(gone) })
      for (const area of areas) if (!this.#closed) await this.#deps.kept.clear(area).catch(() => {})
    })
  }

  async #expireIn(area: KeptArea & { id: string }): Promise<number> {
    const { keep, db } = this.#deps
    const now = this.#now()
    const { count, bytes } = await totalsIn(db, area.id)
    const most = Math.max(MOST_PER_RUN.always, Math.ceil(count * MOST_PER_RUN.share))
    const oldest = keep.days === 0 ? Number.NEGATIVE_INFINITY : now - keep.days * DAY
    const byAge = (row: KeptRow, gone: number) => row.deletedAt < oldest && gone < most
    let gone = await this.#expireWhile(area.id, 'age', byAge)
    let over = bytes - (area.total * keep.share) / 100
    gone += await this.#expireWhile(area.id, 'share', row => {
      const goes = over > 0 && row.deletedAt < now - keep.least
      over -= row.size
      return goes
    })
    const spare = keep.spare ?? Math.min(area.total * SPARE.share, SPARE.most)
    const least = area.free < spare / 2 ? Math.min(keep.least, LEAST_IN_NEED) : keep.least
    let lacks = area.free < spare ? spare * SPARE_AFTER - area.free - bytes + (await totalsIn(db, area.id)).bytes : 0
    gone += await this.#expireWhile(area.id, 'need', row => {
      const goes = lacks > 0 && row.deletedAt < now - least
      lacks -= row.size
      return goes
    })
    return gone
  }

  /** Deletes the oldest things of an area for good, up to the first one that stays. @returns how many */
  async #expireWhile(
    area: string,
    why: 'age' | 'share' | 'need',
    goes: (row: KeptRow, gone: number) => boolean,
  ): Promise<number> {
    let gone = 0
    for (let after = ''; !this.#closed; ) {
      const page = await keptIn(this.#deps.db, area, after, PAGE)
      for (const row of page) {
        if (!goes(row, gone)) return gone
        if (await expire(this.#deps, row, why)) gone += 1
      }
      after = page.at(-1)?.id ?? ''
      if (page.length < PAGE) return gone
    }
    return gone
  }

  /** Counts folders, so that their size is known. */
  async #count(): Promise<void> {
    const { db, kept } = this.#deps
    for (const { id, at } of await uncounted(db, COUNTED)) {
      if (this.#closed) return
      const counted = await countTree(kept, at).catch(() => undefined)
      if (counted) await noteCounted(db, id, counted)
    }
  }
}

const OWN = { action: 'trash.expire', outcome: 'done', way: 'server', address: '' } as const

/** Bytes and number of the entries in a kept folder. */
async function countTree(kept: KeptThings, at: KeptRow['at']): Promise<{ size: number; entries: number }> {
  const view = await kept.open(at, () => true)
  const sum = { size: 0, entries: 0 }
  const ahead: FilePath[] = [trustedChild(ROOT, at.name)]
  for (let folder = ahead.pop(); folder !== undefined; folder = ahead.pop()) {
    for await (const batch of view.list(folder)) {
      for (const entry of batch) {
        sum.entries += 1
        if (entry.kind === 'folder' && !entry.isLink) ahead.push(entry.path)
        else if (entry.kind === 'file' && !entry.isLink) sum.size += entry.size
      }
    }
  }
  return sum
}
