import { type FilePath, nameOf } from '../../../shared/path.ts'
import type { Db } from '../../db/schema.ts'
import type { Cleanup } from '../../files/types.ts'
import {
  foldersNotedBefore,
  forgetFolders,
  forgetPlace,
  noteFolders,
  notePlace,
  placesAfter,
  resumableNames,
} from './orphan-cleanup.store.ts'

/** Milliseconds between two sweeps. */
const SWEEP_EVERY = 10 * 60_000
/** Milliseconds after which an unfinished file unknown to this process is a leftover: otherwise it would have a row. */
const SETTLED = 10 * 60_000
/** Places fetched at a time. */
const BATCH = 500

export interface OrphanCleanupOptions {
  db: Db
  log: { warn(what: object, text: string): void }
  /** No other process uses this database: everything recorded before the start belongs to a process that is gone. */
  isOnlyServer: boolean
  /** Milliseconds since the epoch. */
  now?: () => number
}

/** The functions called at each sweep: those of the storage driver, if it leaves anything behind. */
export interface SweepTasks extends Partial<Cleanup> {
  /** Ends expired uploads. */
  expire(): Promise<void>
}

/**
 * Removes what killed processes left behind, without scanning the whole store: each folder that gets an unfinished file
 * is recorded before, once between two sweeps. The files of unfinished uploads and jobs stay.
 */
export class OrphanCleanup {
  readonly #deps: OrphanCleanupOptions
  readonly #now: () => number
  readonly #startedAt: number
  readonly #noted = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #sweeping: Promise<void> = Promise.resolve()
  #closed = false

  constructor(deps: OrphanCleanupOptions) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    this.#startedAt = this.#now()
  }

  /** Records a place. A failure does not prevent the write. */
  async note(place: string): Promise<void> {
    if (this.#noted.has(place)) return
    this.#noted.add(place)
    await notePlace(this.#deps.db, place, this.#now()).catch(() => this.#noted.delete(place))
  }

  /** Records folders that are created for a file. */
  async noteFolders(folders: readonly string[]): Promise<void> {
    await noteFolders(this.#deps.db, folders, this.#now()).catch(() => {})
  }

  /** Forgets folders whose file is complete, or that were removed. */
  async settleFolders(folders: readonly string[]): Promise<void> {
    await forgetFolders(this.#deps.db, folders).catch(() => {})
  }

  /** Sweeps at once, and then at intervals. */
  start(tasks: SweepTasks): void {
    const look = () => {
      this.#sweeping = this.#sweeping.then(() => this.look(tasks))
    }
    look()
    this.#timer = setInterval(look, SWEEP_EVERY).unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#sweeping
  }

  /** One sweep; failures are logged and retried at the next one. */
  async look({ sweep, sweepFolder, expire }: SweepTasks): Promise<void> {
    await this.#trying(expire)
    if (sweep) await this.#trying(() => this.#sweepAll(sweep))
    if (sweepFolder) await this.#trying(() => this.#sweepFolders(sweepFolder))
  }

  /** This process settles its own records; another instance has time to do so. */
  async #sweepFolders(sweepFolder: NonNullable<SweepTasks['sweepFolder']>): Promise<void> {
    const { db, isOnlyServer } = this.#deps
    const before = isOnlyServer ? this.#startedAt : this.#now() - SETTLED
    for (const { folder, noted_at } of await foldersNotedBefore(db, before)) {
      if (this.#closed) return
      await this.#trying(() => sweepFolder(folder, noted_at).then(() => forgetFolders(db, [folder])))
    }
  }

  async #sweepAll(sweep: NonNullable<SweepTasks['sweep']>): Promise<void> {
    const { db, isOnlyServer } = this.#deps
    const now = this.#now()
    const awaited = new Set((await resumableNames(db)).map(staged => nameOf(staged as FilePath)))
    const how = {
      before: isOnlyServer ? Math.max(this.#startedAt, now - SETTLED) : now - SETTLED,
      isAwaited: (name: string) => awaited.has(name),
    }
    let places = await placesAfter(db, '', BATCH)
    while (places.length > 0 && !this.#closed) {
      for (const place of places) await this.#trying(() => this.#sweepOne(place, () => sweep(place, how)))
      places = await placesAfter(db, places.at(-1) ?? '', BATCH)
    }
  }

  async #sweepOne(place: string, sweep: () => Promise<number>): Promise<void> {
    if (this.#closed) return
    // New writers record the place again; a writer that recorded it a moment ago may be about to begin.
    this.#noted.delete(place)
    if ((await sweep()) === 0) await forgetPlace(this.#deps.db, place, this.#now() - SETTLED)
  }

  async #trying(act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (thrown) {
      this.#deps.log.warn({ err: thrown }, 'sweep failed')
    }
  }
}
