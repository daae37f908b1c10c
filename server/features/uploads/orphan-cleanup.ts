import { type FilePath, nameOf } from '../../../shared/path.ts'
import type { Db } from '../../db/schema.ts'
import type { SweepOptions } from '../../files/types.ts'
import {
  awaitedThings,
  foldersNotedBefore,
  forgetFolders,
  forgetPlace,
  noteFolders,
  notePlace,
  placesAfter,
} from './orphan-cleanup.store.ts'

/** Milliseconds between two looks. */
const SWEEP_EVERY = 10 * 60_000
/** Milliseconds after which something this process does not know of is a leftover: a row for it would be there. */
const SETTLED = 10 * 60_000
/** Places fetched at a time. */
const BATCH = 500

export interface LeftoversDeps {
  db: Db
  log: { warn(what: object, text: string): void }
  /** No other process works on this database: what was noted before the start has lost its process. */
  alone: boolean
  /** Milliseconds since the epoch. */
  now?: () => number
}

/** What is to be done at each look. */
export interface Sweeping {
  /** Of the storage, if it leaves anything behind; see the contract. */
  sweep: ((place: string, how: SweepOptions) => Promise<number>) | undefined
  /** Likewise, of folders that were made for a file. */
  sweepFolder: ((folder: string, madeAt: number) => Promise<void>) | undefined
  /** Ends uploads that nobody goes on with. */
  expire(): Promise<void>
}

/**
 * Finds what killed processes left behind, without looking through all that is stored: each folder in which something
 * unfinished is made is noted before, once between two looks. What uploads and jobs will go on with stays.
 */
export class Leftovers {
  readonly #deps: LeftoversDeps
  readonly #now: () => number
  readonly #startedAt: number
  readonly #noted = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #closed = false

  constructor(deps: LeftoversDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    this.#startedAt = this.#now()
  }

  /** Notes a place. A note that cannot be taken keeps nobody from writing. */
  async note(place: string): Promise<void> {
    if (this.#noted.has(place)) return
    this.#noted.add(place)
    await notePlace(this.#deps.db, place, this.#now()).catch(() => this.#noted.delete(place))
  }

  /** Notes folders that are made for a file. */
  async noteFolders(folders: readonly string[]): Promise<void> {
    await noteFolders(this.#deps.db, folders, this.#now()).catch(() => {})
  }

  /** Forgets folders whose file has come, or that are gone. */
  async settleFolders(folders: readonly string[]): Promise<void> {
    await forgetFolders(this.#deps.db, folders).catch(() => {})
  }

  /** Looks at once, and then regularly. */
  start(sweeping: Sweeping): void {
    const look = () => {
      this.#looking = this.#looking.then(() => this.look(sweeping))
    }
    look()
    this.#timer = setInterval(look, SWEEP_EVERY).unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#looking
  }

  /** One look; what goes wrong is logged and tried again with the next one. */
  async look({ sweep, sweepFolder, expire }: Sweeping): Promise<void> {
    await this.#trying(expire)
    if (sweep) await this.#trying(() => this.#sweepAll(sweep))
    if (sweepFolder) await this.#trying(() => this.#sweepFolders(sweepFolder))
  }

  /** What a process has noted it will settle itself, while it lives; another instance's is given time for that. */
  async #sweepFolders(sweepFolder: NonNullable<Sweeping['sweepFolder']>): Promise<void> {
    const { db, alone } = this.#deps
    const before = alone ? this.#startedAt : this.#now() - SETTLED
    for (const { folder, noted_at } of await foldersNotedBefore(db, before)) {
      if (this.#closed) return
      await this.#trying(() => sweepFolder(folder, noted_at).then(() => forgetFolders(db, [folder])))
    }
  }

  async #sweepAll(sweep: NonNullable<Sweeping['sweep']>): Promise<void> {
    const { db, alone } = this.#deps
    const now = this.#now()
    const awaited = new Set((await awaitedThings(db)).map(staged => nameOf(staged as FilePath)))
    const how = {
      before: alone ? Math.max(this.#startedAt, now - SETTLED) : now - SETTLED,
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
    // Whoever begins something there from now on notes the place again; who noted it a moment ago may be about to begin.
    this.#noted.delete(place)
    if ((await sweep()) === 0) await forgetPlace(this.#deps.db, place, this.#now() - SETTLED)
  }

  async #trying(act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (thrown) {
      this.#deps.log.warn({ err: thrown }, 'could not clear up')
    }
  }
}
