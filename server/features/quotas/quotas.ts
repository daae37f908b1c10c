import { createHash, randomBytes } from 'node:crypto'
import { type FilePath, isWithin, parentOf, ROOT } from '../../../shared/path.ts'
import { pathInRoot, placeInRoot } from '../../../shared/places.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import type { Meter, Metering, QuotaLimits } from '../../files/metering.ts'
import type { Actor } from '../../files/policy.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import type { StorageDriver } from '../../files/types.ts'
import { LIMITS } from '../../limits.ts'
import { Counting } from './counting.ts'
import { isLimited, limitsOf } from './effective.ts'
import { abandon, beat } from './holds.store.ts'
import { loadHomes, type MeteredHome } from './homes.ts'
import { findMeter, mustCount } from './meters.store.ts'
import { Room, type RoomDeps } from './room.ts'

export interface QuotasDeps {
  db: Db
  cluster: Cluster
  /** The whole served root. */
  storage: StorageDriver
  /** No other server uses this database: what was under way at the start has lost its process. */
  isOnlyServer: boolean
  log: { info(facts: object, text: string): void; error(facts: object, text: string): void }
  now?: () => number
}

/**
 * Quotas: which folders have one, what they hold, and the room that running changes reserve there. Which folders have
 * one is kept in memory, and read again after a change by any server: where none has, nothing is asked.
 */
export class Quotas {
  readonly #deps: QuotasDeps
  readonly #now: () => number
  readonly #owner = randomBytes(8).toString('hex')
  readonly #room: RoomDeps
  /** Changes of this process that hold room. */
  readonly #open = new Set<string>()
  /** Those that could not be settled. */
  readonly #failed = new Set<string>()
  #homes: ReadonlyMap<FilePath, MeteredHome> = new Map()
  /** When a membership ends, and the homes are read again. */
  #validUntil = 0
  #isStale = true
  #loading: Promise<void> | undefined
  #beating: NodeJS.Timeout | undefined
  /** Counts what lies in folders with a quota. */
  readonly counting: Counting

  constructor(deps: QuotasDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    const { db, cluster } = deps
    this.#room = {
      db,
      owner: this.#owner,
      now: this.#now,
      opened: id => this.#opened(id),
      closed: id => this.#open.delete(id),
      failed: (id, thrown) => this.#fail(id, thrown),
      recount: () => cluster.publish('quotas.changed', {}),
      missing: () => this.#forget(),
    }
    this.counting = new Counting({ ...deps, owner: this.#owner, now: this.#now, folders: () => this.reload() })
    for (const event of ['user.changed', 'access.changed', 'quotas.changed', 'messages.missed'] as const) {
      cluster.subscribe(event, () => this.#forget())
    }
  }

  /** The quotas as one user meets them. The own limit counts in the home, those of others in theirs. */
  for(actor: Actor): Metering {
    const home = scopeFolder(actor.scope)
    const own = actor.id === undefined || actor.hasHome === false ? undefined : limitsOf(actor)
    if (own && isLimited(own) && !this.#homes.has(home)) this.#forget()
    const isOn = () => this.#homes.size > 0 || this.#mustLoad()
    return {
      get isOn() {
        return isOn()
      },
      ready: () => this.#ready(),
      over: place => this.#over(place, folder => (folder === home ? own : undefined)),
      usage: meters => this.#usage(meters),
      left: place => this.#left(place),
      begin: id => new Room(this.#room, id && createHash('sha256').update(id).digest('base64url')),
    }
  }

  /** The homes with a quota, as they are now. */
  async homes(): Promise<ReadonlyMap<FilePath, MeteredHome>> {
    await this.#ready()
    return this.#homes
  }

  /** The same, read again: the console changes users without a message. */
  reload(): Promise<ReadonlyMap<FilePath, MeteredHome>> {
    this.#forget()
    return this.homes()
  }

  async close(): Promise<void> {
    clearInterval(this.#beating)
    await this.counting.close()
  }

  /** Until the homes are read, every request waits for them: what they were before counts no more. */
  #mustLoad(): boolean {
    return this.#isStale || this.#loading !== undefined || this.#validUntil <= this.#now()
  }

  #forget(): void {
    this.#isStale = true
  }

  async #ready(): Promise<void> {
    while (this.#mustLoad()) {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = undefined
      })
      await this.#loading
    }
  }

  async #load(): Promise<void> {
    this.#isStale = false
    try {
      const { homes, validUntil, areNew } = await loadHomes(this.#deps, this.#now())
      this.#homes = homes
      this.#validUntil = validUntil
      if (areNew) this.counting.nudge()
    } catch (thrown) {
      this.#isStale = true
      throw thrown
    }
  }

  #over(place: FilePath, ownLimits: (folder: FilePath) => QuotaLimits | undefined): Meter[] {
    const meters: Meter[] = []
    const elsewhere = pathInRoot(place)
    const top = elsewhere ? placeInRoot({ root: elsewhere.root, path: ROOT }) : ROOT
    for (let folder = place; ; folder = parentOf(folder)) {
      const home = this.#homes.get(folder)
      // The home itself is no content of it.
      if (home && folder !== place) meters.push({ id: home.id, limits: ownLimits(folder) ?? home.limits })
      if (folder === top) return meters
    }
  }

  async #usage(meters: readonly Meter[]): Promise<{ total: number; used: number } | undefined> {
    let fullest: { total: number; used: number } | undefined
    for (const {
      id,
      limits: { bytes: total },
    } of meters) {
      if (total === undefined) continue
      const used = (await findMeter(this.#deps.db, id))?.used.bytes ?? 0
      if (!fullest || total - used < fullest.total - fullest.used) fullest = { total, used }
    }
    return fullest
  }

  #left(place: FilePath): void {
    const inside = [...this.#homes].filter(([folder]) => isWithin(folder, place)).map(([, { id }]) => id)
    if (inside.length === 0) return
    void mustCount(this.#deps.db, inside)
      .then(() => this.#room.recount())
      .catch(thrown => this.#deps.log.error({ err: thrown }, 'a folder with a quota could not be marked'))
  }

  #opened(id: string): void {
    this.#open.add(id)
    this.#beating ??= setInterval(() => void this.#beat(), LIMITS.quotaLost / 4).unref()
  }

  #fail(id: string, thrown: unknown): void {
    this.#open.delete(id)
    this.#failed.add(id)
    this.#deps.log.error({ err: thrown }, 'a change in a folder with a quota could not be settled')
    this.#beating ??= setInterval(() => void this.#beat(), LIMITS.quotaLost / 4).unref()
  }

  /** Never rejects. */
  async #beat(): Promise<void> {
    const { db } = this.#deps
    try {
      const failed = [...this.#failed]
      if (failed.length > 0) await abandon(db, failed)
      for (const id of failed) this.#failed.delete(id)
      if (failed.length > 0) this.#room.recount()
      if (this.#open.size > 0) await beat(db, this.#owner, this.#now())
    } catch (thrown) {
      this.#deps.log.error({ err: thrown }, 'quotas could not be settled')
    }
  }
}
