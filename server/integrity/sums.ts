import type { Db } from '../db/schema.ts'
import { stampOf } from '../files/change-records.ts'
import type { ReadSum, SummedEntry, SumRecords, SumVerdict } from '../files/checksums.ts'
import { ulid } from '../history/ulid.ts'
import { addFinding, findSums, openFinding, type SumRow, touchSum, writeSums } from './sums.store.ts'

export interface SumsDeps {
  db: Db
  log: { warn(facts: object, text: string): void; error(facts: object, text: string): void }
  now?: () => number
}

/** Checksums that wait until they are written, and milliseconds for which they do. */
const PENDING = { count: 500, time: 1000 }

/** The known checksums in the database. They are written in groups: a killed process loses those of the last second. */
export class Sums implements SumRecords {
  readonly #deps: SumsDeps
  readonly #now: () => number
  readonly #pending = new Map<string, SumRow>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  /** New findings since the start, by kind. */
  readonly found = { rotten: 0, quiet: 0, unreadable: 0 }

  constructor(deps: SumsDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
  }

  async known(entry: SummedEntry): Promise<string | undefined> {
    const row = await this.#find(entry.identity)
    if (row?.stamp !== stampOf(entry)) return undefined
    return (await openFinding(this.#deps.db, entry.identity)) ? undefined : row.sha256
  }

  async note(read: ReadSum): Promise<SumVerdict> {
    const { entry, sha256 } = read
    const row = await this.#find(entry.identity)
    if (!row || row.stamp !== stampOf(entry)) {
      this.#write(this.#rowOf(read))
      return 'new'
    }
    if (row.sha256 === sha256) {
      const at = this.#now()
      this.#write({ ...row, version: entry.version, place: read.place, checked_at: at, seen_at: at })
      return 'same'
    }
    const verdict = row.version === entry.version ? 'rotten' : 'quiet'
    await this.#report(verdict, read, row)
    return verdict
  }

  async unreadable(read: Pick<ReadSum, 'entry' | 'place'>): Promise<void> {
    await this.#report('unreadable', read, await this.#find(read.entry.identity))
  }

  /** Writes what waits. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const rows = [...this.#pending.values()]
    this.#writing = this.#writing.then(async () => {
      if (rows.length === 0) return
      await writeSums(this.#deps.db, rows).catch(err => this.#deps.log.error({ err }, 'checksums were not recorded'))
      for (const row of rows) if (this.#pending.get(row.identity) === row) this.#pending.delete(row.identity)
    })
    return this.#writing
  }

  async #find(identity: string): Promise<SumRow | undefined> {
    return this.#pending.get(identity) ?? (await findSums(this.#deps.db, [identity]))[0]
  }

  #rowOf({ entry, place, sha256, source }: ReadSum): SumRow {
    const { identity, version, size } = entry
    const at = this.#now()
    const times = { made_at: at, checked_at: at, seen_at: at }
    return { identity, stamp: stampOf(entry), version, sha256, place, size, source, ...times }
  }

  #write(row: SumRow): void {
    this.#pending.set(row.identity, row)
    if (this.#pending.size >= PENDING.count) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), PENDING.time).unref()
  }

  /** The recorded checksum stays as it is, so that the next check finds the same difference. */
  async #report(
    kind: 'rotten' | 'quiet' | 'unreadable',
    { entry, place, sha256 }: Omit<ReadSum, 'sha256' | 'source'> & { sha256?: string },
    row: SumRow | undefined,
  ): Promise<void> {
    const { db, log } = this.#deps
    const { identity, version, size } = entry
    const at = this.#now()
    await this.flush()
    if (row) await touchSum(db, identity, { checked_at: at, seen_at: at, place })
    const about = { kind, place, identity, stamp: stampOf(entry), version, size, at }
    const sums = { expected: row?.sha256 ?? null, found: sha256 ?? null }
    const open = { state: 'open', settled_at: null, settled_by: null } as const
    if (!(await addFinding(db, { id: ulid(at), ...about, ...sums, ...open }))) return
    this.found[kind] += 1
    log.warn({ path: place, kind, ...sums }, 'a file is not what it was')
  }
}
