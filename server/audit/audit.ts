import { setImmediate as othersFirst } from 'node:timers/promises'
import type { AuditAction, AuditRow, AuditWay } from '../../shared/api/audit.ts'
import { fromStored, toStored } from '../db/paths.ts'
import type { AuditTable, Db } from '../db/schema.ts'
import { storable } from '../db/text.ts'
import type { ErrorCode } from '../errors.ts'
import { type AuditFilter, appendRows, findRows, forgetUpTo, lastToForget, type NewAuditRow } from './audit.store.ts'

/** Milliseconds that rows wait for company when nobody waits for them. */
const GATHER = 250
/** Milliseconds between two tries when rows cannot be written. */
const TRY_AGAIN = 5000
/** Rows that wait in memory while they cannot be written; further ones are counted instead. */
const MOST_WAITING = 10_000
/** Milliseconds in which the same again is not written again: a film is read in hundreds of pieces. */
export const ONCE_IN = 5 * 60_000
/** What is remembered for that. */
const MOST_REMEMBERED = 10_000
/** Milliseconds between two looks for rows to forget. */
const PRUNE_EVERY = 3_600_000
const DAY = 86_400_000
/** Rows read at a time for somebody who wants all. */
const EXPORTED = 500

/** What happens often and changes no file: written a moment later, and once in a while. */
const READING: ReadonlySet<AuditAction> = new Set(['read', 'download', 'share.open', 'share.rebind'])

/** Something that somebody did, or was refused. */
export interface AuditEvent {
  action: AuditAction
  outcome: 'done' | ErrorCode
  way: AuditWay
  /** Of the client; `''` on the host itself. */
  address: string
  /** Nobody unless given. */
  who?: { id: number; username: string } | undefined
  /** In the served root. */
  path?: string | undefined
  /** Where it went, or whom or what it was about. */
  target?: string | undefined
}

/** What failing to write is told to. */
interface FaultLog {
  error(facts: object, text: string): void
}

export interface AuditDeps {
  db: Db
  log?: FaultLog
  /** Days and rows that are kept; 0 days for ever. */
  keep: { days: number; rows: number }
  now?: () => number
}

/**
 * The audit log. What changes something is written before its answer is sent; what was only read within a moment.
 * When the database cannot be written, work goes on, and the rows wait; those that do not fit are counted, and a row
 * says later how many are missing. Nothing here ever fails for its callers.
 */
export class Audit {
  readonly #deps: AuditDeps
  readonly #now: () => number
  readonly #seen = new Map<string, number>()
  #waiting: NewAuditRow[] = []
  #lost = 0
  #timer: NodeJS.Timeout | undefined
  #pruning: NodeJS.Timeout | undefined
  #failing = false
  #tail: Promise<void> = Promise.resolve()
  /** The writing that has not begun yet, which all share who come until then. */
  #next: Promise<void> | undefined

  constructor(deps: AuditDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
  }

  /** Writes an event down. Settles when it is safe, or when that does not work now. */
  async record(event: AuditEvent): Promise<void> {
    if (isRepeatable(event) && this.#isRepeated(event)) return
    this.#add(rowOf(event, this.#now()))
    if (this.#failing) this.#flushIn(TRY_AGAIN)
    else if (READING.has(event.action)) this.#flushIn(GATHER)
    else await this.flush()
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#next ??= this.#tail.then(() => {
      this.#next = undefined
      return this.#write()
    })
    this.#tail = this.#next
    return this.#next
  }

  /** Rows that fit, the newest first, and whether there are more. */
  async find(filter: AuditFilter, limit: number): Promise<{ rows: AuditRow[]; more: boolean }> {
    await this.flush()
    const rows = await findRows(this.#deps.db, filter, limit + 1)
    return { rows: rows.slice(0, limit).map(toWire), more: rows.length > limit }
  }

  /** All rows that fit, the newest first, as lines of JSON. */
  async *lines(filter: AuditFilter): AsyncGenerator<string> {
    await this.flush()
    yield* auditLines(this.#deps.db, filter)
  }

  /** Begins to forget what is old enough. */
  start(): void {
    this.#pruning = setInterval(() => void this.prune(), PRUNE_EVERY).unref()
    void this.prune()
  }

  /** Forgets what is too old or too much. */
  async prune(): Promise<void> {
    const { db, keep } = this.#deps
    try {
      const time = keep.days === 0 ? 0 : this.#now() - keep.days * DAY
      const last = await lastToForget(db, time, keep.rows)
      let gone = 0
      for (let some = 1; some > 0; gone += some) {
        some = await forgetUpTo(db, last)
        await othersFirst()
      }
      if (gone > 0) await this.record({ ...OWN, action: 'audit.prune', target: String(gone) })
    } catch (error) {
      this.#deps.log?.error({ err: error }, 'the audit log was not pruned')
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#pruning)
    await this.flush()
    clearTimeout(this.#timer)
  }

  #add(row: NewAuditRow): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(row)
    else this.#lost += 1
  }

  #flushIn(milliseconds: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), milliseconds).unref()
  }

  async #write(): Promise<void> {
    const { db, log } = this.#deps
    const rows = this.#waiting
    const lost = this.#lost
    if (rows.length === 0 && lost === 0) return
    this.#waiting = []
    this.#lost = 0
    const gap = { ...OWN, action: 'audit.gap', target: String(lost) } as const
    try {
      await appendRows(db, lost === 0 ? rows : [...rows, rowOf(gap, this.#now())])
      this.#failing = false
    } catch (error) {
      this.#failing = true
      const all = [...rows, ...this.#waiting]
      this.#waiting = all.slice(0, MOST_WAITING)
      this.#lost += lost + all.length - this.#waiting.length
      log?.error({ err: error, waiting: this.#waiting.length, lost: this.#lost }, 'the audit log could not be written')
      this.#flushIn(TRY_AGAIN)
    }
  }

  #isRepeated({ action, outcome, way, address, who, path, target }: AuditEvent): boolean {
    const key = JSON.stringify([action, outcome, way, address, who?.id, path, target])
    const now = this.#now()
    const before = this.#seen.get(key)
    if (before !== undefined && now < before + ONCE_IN) return true
    if (this.#seen.size >= MOST_REMEMBERED) this.#seen.clear()
    this.#seen.set(key, now)
    return false
  }
}

const OWN = { way: 'server', address: '', outcome: 'done' } as const

/** Reading, and refusals that anybody can have as often as they like; a wrong password counts each time. */
const isRepeatable = ({ action, outcome }: AuditEvent) =>
  READING.has(action) || (outcome !== 'done' && outcome !== 'wrong_credentials')

function rowOf({ action, outcome, way, address, who, path = '', target = '' }: AuditEvent, at: number): NewAuditRow {
  const { id = 0, username = '' } = who ?? {}
  const [stored, aim] = [path, target].map(text => (text === '' ? '' : storable(toStored(text))))
  return {
    at,
    user_id: id,
    username: storable(username),
    action,
    outcome,
    way,
    address: storable(address),
    path: stored ?? '',
    target: aim ?? '',
  }
}

/** Rows that fit, the newest first, as lines of JSON. */
export async function* auditLines(db: Db, filter: AuditFilter): AsyncGenerator<string> {
  for (let before = filter.before; ; ) {
    const rows = await findRows(db, before === undefined ? filter : { ...filter, before }, EXPORTED)
    if (rows.length > 0) yield rows.map(row => `${JSON.stringify(toWire(row))}\n`).join('')
    if (rows.length < EXPORTED) return
    // SQLite is read on the thread of all requests, and a quick reader never lets this wait.
    await othersFirst()
    before = rows.at(-1)?.id
  }
}

function toWire({ at, user_id, path, target, ...row }: AuditTable): AuditRow {
  const { id, username, outcome, address, hash } = row
  return {
    id,
    time: new Date(at).toISOString(),
    userID: user_id,
    username,
    action: row.action as AuditAction,
    outcome,
    way: row.way as AuditWay,
    address,
    path: fromStored(path),
    target: fromStored(target),
    hash,
  }
}

/** Writes one event down from a process that does nothing else. @throws AppError when it cannot be written */
export async function recordAlone(db: Db, event: AuditEvent): Promise<void> {
  await appendRows(db, [rowOf(event, Date.now())])
}
