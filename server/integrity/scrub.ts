import { setTimeout as pause } from 'node:timers/promises'
import type { ScrubMode } from '../../shared/api/integrity.ts'
import { type FilePath, ROOT } from '../../shared/path.ts'
import { digestOf } from '../checksums/checksum.ts'
import { isReadError } from '../checksums/read-error.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Db } from '../db/schema.ts'
import { asAppError } from '../errors.ts'
import { stampOf } from '../files/change-records.ts'
import { ulid } from '../history/ulid.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import { lastRun, type ScrubRun, writeRun } from './scrub-runs.store.ts'
import { type Hours, isWithinHours, nextStart, SCRUB_PERIODS } from './scrub-window.ts'
import { dueSums, findSums, forgetSums, touchSum } from './sums.store.ts'
import type { Sums } from './sums.ts'

export interface ScrubSettings {
  mode: ScrubMode
  hours: Hours
  /** Bytes per second. */
  rate: number
}

export interface ScrubDeps {
  db: Db
  cluster: Pick<Cluster, 'lock'>
  /** The whole served root. */
  storage: StorageDriver
  sums: Sums
  log: { info(facts: object, text: string): void; error(facts: object, text: string): void }
  settings: ScrubSettings
  now?: () => number
}

/** Milliseconds between two reads of the clock. */
const EVERY = 10 * 60_000
/** Milliseconds that a server waits for another one that checks files. */
const PATIENCE = 1000
/** After a complete run, milliseconds until the next one may begin. */
const REST = 20 * 3_600_000
/** A row whose file was seen is noted again after this time; forgotten after the other. In milliseconds. */
const SEEN = { every: 7 * 86_400_000, forgotten: 365 * 86_400_000 }
const PAGE = 100
/** Milliseconds between two notes of how far a run is. */
const NOTED_EVERY = 5000
/** A file that was changed so short a time before is left to the next run: it may change again at the same time. */
const TOO_NEW = 2000

/**
 * Reads the files of the served root again, at night and slowly, and compares them with their known checksums: files
 * without one first, then those that were read longest ago. On one server at a time. A run that ends early is resumed
 * by the next one, because each file that was read is noted.
 */
export class Scrub {
  readonly #deps: ScrubDeps
  readonly #now: () => number
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  /** What was read since the start. */
  readonly read = { files: 0, bytes: 0 }

  constructor(deps: ScrubDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
  }

  start(): void {
    if (this.#deps.settings.mode === 'off') return
    const tick = () => {
      this.#running = this.#running
        .then(() => this.#tick())
        .catch(err => this.#deps.log.error({ err }, 'the files were not checked'))
    }
    tick()
    this.#timer = setInterval(tick, EVERY).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#running
    await this.#deps.sums.flush()
  }

  /** When the next run may begin; nothing where none is planned. */
  next(last: ScrubRun | undefined): Date | undefined {
    const { mode, hours } = this.#deps.settings
    if (mode === 'off') return undefined
    const rested = last?.complete ? last.startedAt + REST : 0
    return nextStart(hours, new Date(Math.max(this.#now(), rested)))
  }

  async #tick(): Promise<void> {
    if (!this.#isTime()) return
    const patience = AbortSignal.timeout(PATIENCE)
    const act = async () => {
      const last = await lastRun(this.#deps.db)
      const next = this.next(last)
      if (next && next.getTime() <= this.#now()) await this.run()
    }
    await this.#deps.cluster.lock('scrub', act, patience).catch(thrown => {
      if (thrown !== patience.reason) throw thrown
    })
  }

  #isTime(): boolean {
    return !this.#stopping.signal.aborted && isWithinHours(this.#deps.settings.hours, new Date(this.#now()))
  }

  /** Checks files until none is due or the hours are over. The caller holds the lock. */
  async run(): Promise<ScrubRun> {
    const { db, settings, log, sums } = this.#deps
    const startedAt = this.#now()
    const totals = { files: 0, bytes: 0, readFiles: 0, readBytes: 0, found: 0 }
    const run: ScrubRun = { id: ulid(startedAt), startedAt, endedAt: undefined, complete: false, ...totals }
    const before = startedAt - SCRUB_PERIODS[settings.mode]
    await writeRun(db, run)
    const foundBefore = countOf(sums)
    let notedAt = startedAt
    const note = async () => {
      if (this.#now() - notedAt < NOTED_EVERY) return
      notedAt = this.#now()
      run.found = countOf(sums) - foundBefore
      await writeRun(db, run)
    }
    const store = await this.#deps.storage.within(ROOT)
    run.complete = (await this.#checkNew(store, run, note)) && (await this.#checkDue(store, run, before, note))
    await sums.flush()
    if (run.complete) await forgetSums(db, startedAt - SEEN.forgotten)
    run.endedAt = this.#now()
    run.found = countOf(sums) - foundBefore
    await writeRun(db, run)
    log.info({ files: run.readFiles, bytes: run.readBytes, found: run.found }, 'files were checked')
    return run
  }

  /** Walks through everything, and reads files whose content has no known checksum. @returns whether all were seen */
  async #checkNew(store: StorageDriver, run: ScrubRun, note: () => Promise<void>): Promise<boolean> {
    const ahead: FilePath[] = [ROOT]
    for (let folder = ahead.pop(); folder !== undefined; folder = ahead.pop()) {
      for await (const batch of unlessGone(store.list(folder))) {
        if (!this.#isTime()) return false
        const files = batch.filter(({ kind, isLink }) => kind === 'file' && !isLink)
        for (const { kind, isLink, path } of batch) if (kind === 'folder' && !isLink) ahead.push(path)
        run.files += files.length
        for (const { size } of files) run.bytes += size
        if (!(await this.#checkUnknown(store, run, files, note))) return false
      }
    }
    return true
  }

  async #checkUnknown(store: StorageDriver, run: ScrubRun, files: readonly Entry[], note: () => Promise<void>) {
    const { db } = this.#deps
    const rows = new Map(
      (
        await findSums(
          db,
          files.map(({ identity }) => identity),
        )
      ).map(row => [row.identity, row]),
    )
    for (const entry of files) {
      const row = rows.get(entry.identity)
      if (row?.stamp === stampOf(entry)) {
        const isStale = row.place !== entry.canonical || this.#now() - row.seen_at > SEEN.every
        if (isStale) await touchSum(db, entry.identity, { seen_at: this.#now(), place: entry.canonical })
        continue
      }
      if (!this.#isTime()) return false
      await this.#check(store, run, entry.path)
      await note()
    }
    return true
  }

  /** Reads what was read longest ago. @returns whether nothing is due any more */
  async #checkDue(store: StorageDriver, run: ScrubRun, before: number, note: () => Promise<void>): Promise<boolean> {
    await this.#deps.sums.flush()
    for (let page = await dueSums(this.#deps.db, before, undefined, PAGE); page.length > 0; ) {
      for (const { place, identity } of page) {
        if (!this.#isTime()) return false
        const there = await store.stat(place).catch(() => undefined)
        if (there?.kind !== 'file' || there.isLink || there.identity !== identity) continue
        await this.#check(store, run, place)
        await note()
      }
      page = await dueSums(this.#deps.db, before, page.at(-1), PAGE)
    }
    return true
  }

  /** Reads one file to its end, even if the hours are over. */
  async #check(store: StorageDriver, run: ScrubRun, path: FilePath): Promise<void> {
    const { sums } = this.#deps
    const { signal } = this.#stopping
    const file = await store.read(path).catch(thrown => this.#refused(store, path, thrown))
    if (!file) return
    const { entry } = file
    const place = entry.canonical
    try {
      const sha256 = await digestOf(this.#paced(entry.size === 0 ? undefined : file.stream(), run), 'sha256')
      run.readFiles += 1
      this.read.files += 1
      const after = await store.stat(path).catch(() => undefined)
      const isSettled = Math.abs(this.#now() - entry.modified) > TOO_NEW
      if (isSettled && after?.version === entry.version) await sums.note({ entry, place, sha256, source: 'scrub' })
    } catch (thrown) {
      if (!signal.aborted && isReadError(thrown)) await sums.unreadable({ entry, place })
    } finally {
      await file.close()
    }
  }

  async #refused(store: StorageDriver, path: FilePath, thrown: unknown): Promise<undefined> {
    if (!isReadError(thrown)) return
    const entry = await store.stat(path).catch(() => undefined)
    if (entry) await this.#deps.sums.unreadable({ entry, place: entry.canonical })
  }

  /** The bytes of a stream, at the rate of the settings. */
  async *#paced(source: AsyncIterable<Buffer> | undefined, run: ScrubRun): AsyncGenerator<Buffer> {
    const { rate } = this.#deps.settings
    const { signal } = this.#stopping
    const begun = performance.now()
    let passed = 0
    for await (const bytes of source ?? []) {
      signal.throwIfAborted()
      yield bytes
      passed += bytes.length
      run.readBytes += bytes.length
      this.read.bytes += bytes.length
      const early = (passed / rate) * 1000 - (performance.now() - begun)
      if (early > 1) await pause(early, undefined, { signal })
    }
  }
}

const countOf = ({ found }: Sums) => found.rotten + found.quiet + found.unreadable

/** A folder that has vanished, or that cannot be read, is empty. */
async function* unlessGone(batches: AsyncIterable<Entry[]>): AsyncGenerator<Entry[]> {
  try {
    yield* batches
  } catch (thrown) {
    if (asAppError(thrown).code === 'internal') throw thrown
  }
}
