import type { VersionMode } from '../../shared/api/versions.ts'
import type { FilePath } from '../../shared/path.ts'
import { isWithin, ROOT, trustedChild } from '../../shared/path.ts'
import type { Audit } from '../audit/audit.ts'
import type { RoomRequest } from '../files/trash-records.ts'
import { spareOf } from '../lib/spare-space.ts'
import type { KeptArea, KeptThings } from '../storage/driver.ts'
import { hasJumped, type Moment, readRetention, writeRetention } from './clock.ts'
import { ExpiredItems } from './expired-items.ts'
import { expirableBytes, type KeptRow, keptIn, noteCounted, totalsIn, uncounted } from './kept.store.ts'
import { findMovedAreas } from './moved-areas.ts'
import { areasNow, compare, expire, type RecoveryDeps, recover } from './recovery.ts'
import { thinnedRows } from './thinned-versions.ts'
import { lastVersions } from './versions.store.ts'

export interface UpkeepDeps extends RecoveryDeps {
  audit: Pick<Audit, 'record'>
  log: { error(facts: object, text: string): void }
  /** No other process uses this database: everything recorded before the start belongs to a process that is gone. */
  isOnlyServer: boolean
  keep: KeepLimits
  /** Which versions stay: see `ThinningRules`; `share` as for the trash. */
  versions: { mode: VersionMode; days: number; share: number; most: number }
  now?: () => number
  /** Milliseconds by a clock that is never set; that of the process unless given. */
  steady?: () => number
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
/** More than the spare room is freed, so that not every run has to. */
const SPARE_AFTER = 1.2
/** The brake of expiry by age: a share of the things in an area, but always some. */
const MOST_PER_RUN = { share: 0.2, always: 100 }
/** Folders counted in one run. */
const COUNTED = 200
const PAGE = 500

/** Keeps the trash and the versions in order: settles interrupted operations, counts folders, deletes what has expired. */
export class TrashUpkeep {
  readonly #deps: UpkeepDeps
  readonly #now: () => number
  readonly #startedAt: number
  readonly #steady: () => number
  #lastRun: Moment | undefined
  #timers: NodeJS.Timeout[] = []
  #running: Promise<void> = Promise.resolve()
  #closed = false

  constructor(deps: UpkeepDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    this.#startedAt = this.#now()
    this.#steady = deps.steady ?? (() => performance.now())
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
      await findMovedAreas(this.#deps)
      const areas = await areasNow(this.#deps)
      let unknown = 0
      for (const area of areas)
        if (!this.#closed) unknown += await this.#unlessAway(area, 0, () => compare(this.#deps, area))
      await this.#count()
      if (await this.#notesJump(unknown)) return
      const gone = this.#nothingGone(await this.#thin())
      for (const area of areas) {
        if (this.#closed) break
        await this.#unlessAway(area, undefined, () => this.#expireIn(area, gone))
      }
      await this.#record(gone)
      for (const area of areas) if (!this.#closed) await this.#deps.kept.clear(area).catch(() => {})
    })
  }

  /** Runs `act` for one area. A disk that fails, or is not there any more, does not keep the others from theirs. */
  async #unlessAway<T>({ home }: KeptArea, otherwise: T, act: () => Promise<T>): Promise<T> {
    return act().catch(err => {
      this.#deps.log.error({ err, home }, 'the trash of one disk was not looked after')
      return otherwise
    })
  }

  /** Notes this run for the next one. @returns whether nothing may expire, because the clock jumped */
  async #notesJump(unknown: number): Promise<boolean> {
    const { db, log } = this.#deps
    const before = await readRetention(db)
    const moment = { now: this.#now(), steady: this.#steady() }
    const isNew = hasJumped(moment, this.#lastRun, before?.at)
    this.#lastRun = moment
    const jumpedAt = isNew ? moment.now : before?.jumpedAt
    await writeRetention(db, { at: moment.now, unknown, ...(jumpedAt !== undefined && { jumpedAt }) })
    if (isNew) log.error({}, 'the clock jumped: nothing in the trash expires until an administrator confirms it')
    return jumpedAt !== undefined
  }

  #nothingGone(versions = 0): Gone {
    return { items: new ExpiredItems(this.#deps), versions }
  }

  async #record({ items, versions }: Gone): Promise<void> {
    await items.end()
    if (versions > 0) await this.#deps.audit.record({ ...OWN, action: 'version.expire', target: String(versions) })
  }

  /** Deletes what has expired in an area, and the oldest where room is short. */
  async #expireIn(area: KeptArea & { id: string }, gone: Gone): Promise<void> {
    const { keep, versions, db } = this.#deps
    const youngest = this.#now() - keep.least
    const before = await this.#totals(area.id)
    await this.#expireByAge(area.id, before.trash.count, gone)
    for (const kind of KINDS) {
      const share = kind === 'trash' ? keep.share : versions.share
      let over = (await totalsIn(db, area.id, kind)).bytes - (area.total * share) / 100
      await this.#expireEach({ area: area.id, kind, why: 'share', gone }, row => {
        if (over <= 0 || row.deletedAt >= youngest) return 'end'
        if (row.pinned) return 'stays'
        over -= row.size
        return 'goes'
      })
    }
    const spare = spareOf(area.total, keep.spare)
    if (area.free >= spare) return
    const least = area.free < spare / 2 ? Math.min(keep.least, LEAST_IN_NEED) : keep.least
    const after = await this.#totals(area.id)
    const freed = before.trash.bytes + before.version.bytes - after.trash.bytes - after.version.bytes
    await this.#free(area.id, spare * SPARE_AFTER - area.free - freed, { least, gone })
  }

  /**
   * Frees bytes in an area: first versions that are not the last ones of their files, then the trash, then other
   * versions, each the oldest first.
   */
  async #free(area: string, bytes: number, { least, gone }: { least: number; gone: Gone }): Promise<void> {
    let lacks = bytes
    const last = await lastVersions(this.#deps.db, area)
    const youngest = this.#now() - least
    const free = async (kind: Kind, stays: (row: KeptRow) => boolean) => {
      await this.#expireEach({ area, kind, why: 'need', gone }, row => {
        if (lacks <= 0 || row.deletedAt >= youngest) return 'end'
        if (row.pinned || stays(row)) return 'stays'
        lacks -= row.size
        return 'goes'
      })
    }
    await free('version', ({ id }) => last.has(id))
    await free('trash', () => false)
    await free('version', () => false)
  }

  /** See `MakeRoom`. */
  async makeRoom({ place, bytes, total }: RoomRequest): Promise<void> {
    const { cluster, kept, db } = this.#deps
    await cluster.lock('retention', async () => {
      if ((await readRetention(db))?.jumpedAt !== undefined) return
      const least = Math.min(this.#deps.keep.least, LEAST_IN_NEED)
      const areas = (await areasNow(this.#deps, place)).filter(
        area => isWithin(place, area.home) && area.total === total,
      )
      for (const { id, free, ...area } of areas) {
        const lacks = bytes - free
        // What does not suffice is not deleted in vain.
        if (lacks <= 0 || (await expirableBytes(db, id, this.#now() - least)) < lacks) continue
        const gone = this.#nothingGone()
        await this.#free(id, lacks, { least, gone })
        await this.#record(gone)
        await kept.clear(area)
        return
      }
    })
  }

  async #totals(area: string) {
    const { db } = this.#deps
    return { trash: await totalsIn(db, area, 'trash'), version: await totalsIn(db, area, 'version') }
  }

  #expireByAge(area: string, count: number, gone: Gone): Promise<void> {
    const { days } = this.#deps.keep
    const most = Math.max(MOST_PER_RUN.always, Math.ceil(count * MOST_PER_RUN.share))
    const oldest = days === 0 ? Number.NEGATIVE_INFINITY : this.#now() - days * DAY
    return this.#expireEach({ area, kind: 'trash', why: 'age', gone }, (row, count) =>
      row.deletedAt < oldest && count < most ? 'goes' : 'end',
    )
  }

  /** Removes the versions that thinning does not keep. @returns how many */
  async #thin(): Promise<number> {
    const { db, keep, versions } = this.#deps
    const { days, most } = versions
    const rules = { isSmart: versions.mode === 'smart', days, most, least: keep.least }
    let gone = 0
    for await (const row of thinnedRows(db, rules, this.#now())) {
      if (this.#closed) break
      if (await expire(this.#deps, row, 'thinned').catch(() => false)) gone += 1
    }
    return gone
  }

  /** Deletes items of an area for good, the oldest first, until one ends it. */
  async #expireEach(
    { area, kind, why, gone }: { area: string; kind: Kind; why: 'age' | 'share' | 'need'; gone: Gone },
    verdict: (row: KeptRow, count: number) => 'goes' | 'stays' | 'end',
  ): Promise<void> {
    let count = 0
    for (let after = ''; !this.#closed; ) {
      const page = await keptIn(this.#deps.db, area, after, PAGE, kind)
      for (const row of page) {
        // What another program deleted is not ours to forget.
        if (row.isForeign) continue
        const now = verdict(row, count)
        if (now === 'end') return
        if (now !== 'goes' || !(await expire(this.#deps, row, why))) continue
        count += 1
        if (kind === 'trash') await gone.items.add(row)
        else gone.versions += 1
      }
      after = page.at(-1)?.id ?? ''
      if (page.length < PAGE) return
    }
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

const KINDS = ['trash', 'version'] as const
type Kind = (typeof KINDS)[number]
/** What was deleted for good: items of the trash, and a number of versions. */
interface Gone {
  items: ExpiredItems
  versions: number
}

const OWN = { outcome: 'done', way: 'server', address: '' } as const

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
