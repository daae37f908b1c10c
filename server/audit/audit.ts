import { setImmediate as othersFirst } from 'node:timers/promises'
import type { AuditAction, AuditRow, AuditWay } from '../../shared/api/audit.ts'
import type { EventFacts } from '../../shared/event-facts.ts'
import { fromStored, toStored } from '../db/paths.ts'
import type { AuditTable, Db } from '../db/schema.ts'
import { storable } from '../db/text.ts'
import type { ErrorCode } from '../errors.ts'
import {
  type AlongAudit,
  type AuditFilter,
  appendRows,
  type DeliverRows,
  findRows,
  forgetUpTo,
  lastToForget,
  type NewAuditRow,
} from './audit.store.ts'

export type { AlongAudit } from './audit.store.ts'

/** Milliseconds that rows are buffered when no caller waits for them. */
const GATHER = 250
/** Milliseconds between two attempts while writing fails. */
const TRY_AGAIN = 5000
/** Rows held in memory while they cannot be written; further ones are only counted. */
const MOST_WAITING = 10_000
/** Milliseconds in which a repeated event is not written again: a video is read in hundreds of ranges. */
export const REPEAT_INTERVAL = 5 * 60_000
/** Events remembered for that. */
const MOST_REMEMBERED = 10_000
/** Milliseconds between two runs of pruning. */
const PRUNE_EVERY = 3_600_000
const DAY = 86_400_000
/** Rows read at a time for an export. */
const EXPORTED = 500

/** Frequent events that change no file: buffered, and written once per interval. */
const READING: ReadonlySet<AuditAction> = new Set(['read', 'download', 'share.open', 'share.rebind'])

/** An action of a user or client, or the refusal of one. */
export interface AuditEvent {
  action: AuditAction
  outcome: 'done' | ErrorCode
  way: AuditWay
  /** The client's address; `''` on the host itself. */
  address: string
  /** No user unless given. */
  who?: { id: number; username: string } | undefined
  /** In the served root. */
  path?: string | undefined
  /** The destination, or the subject of the action. */
  target?: string | undefined
  /** For webhooks only: the log does not have them. */
  facts?: EventFacts | undefined
}

/** The target of an action by a personal API token: `token:<id>`, followed by the target itself if there is one. */
export function withToken(target: string | undefined, tokenId: string | undefined): string | undefined {
  if (tokenId === undefined) return target
  return target ? `token:${tokenId} ${target}` : `token:${tokenId}`
}

/** The target itself of an action, without the token: the inverse of `withToken`. */
export const withoutToken = (target: string): string => target.replace(/^token:[0-9a-f]+(?: |$)/, '')

/** Receives write errors. */
interface FaultLog {
  error(facts: object, text: string): void
}

export interface AuditDeps {
  db: Db
  log?: FaultLog
  /** Days and rows that are kept; 0 days for ever. */
  keep: { days: number; rows: number }
  /** Writes the events of rows to webhooks, in the same transaction. */
  deliver?: DeliverRows
  now?: () => number
}

/**
 * The audit log. Changes are written before their response is sent; reads within a moment. While the database cannot be
 * written, the server continues and rows are buffered; rows beyond the buffer are counted, and a later row states how
 * many are missing. No method rejects or throws because of a failed write.
 */
export class Audit {
  readonly #deps: AuditDeps
  readonly #now: () => number
  readonly #seen = new Map<string, number>()
  #waiting: Waiting[] = []
  #lost = 0
  #timer: NodeJS.Timeout | undefined
  #pruning: NodeJS.Timeout | undefined
  #failing = false
  #tail: Promise<void> = Promise.resolve()
  /** The flush that has not begun yet, shared by all callers until it does. */
  #next: Promise<void> | undefined

  constructor(deps: AuditDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
  }

  /**
   * Records an event. Settles when it is durable, or when writing fails for now.
   * @param along writes more in the same transaction
   */
  async record(event: AuditEvent, along?: AlongAudit): Promise<void> {
    if (!along && isRepeatable(event) && this.#isRepeated(event)) return
    const { facts } = event
    this.#add({ row: rowOf(event, this.#now()), ...(along && { along }), ...(facts && { facts }) })
    if (this.#failing) this.#flushIn(TRY_AGAIN)
    else if (READING.has(event.action)) this.#flushIn(GATHER)
    else await this.flush()
  }

  /**
   * Records an event in the transaction that writes what it is about. Where the log cannot be written, that is written
   * alone, and the row is buffered.
   * @throws what `write` throws
   */
  async commit(event: AuditEvent, write: (transaction: Db) => Promise<void>, along?: AlongAudit): Promise<void> {
    const { db } = this.#deps
    const row = rowOf(event, this.#now())
    const both: AlongAudit = async (transaction, id) => {
      await write(transaction)
      await along?.(transaction, id)
    }
    try {
      await appendRows(db, [row], new Map([[0, both]]), this.#delivering([{ row, facts: event.facts }]))
    } catch {
      await write(db)
      await this.record(event, along)
    }
  }

  /** Writes the buffered rows. */
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

  /** Matching rows, the newest first, and whether there are more. */
  async find(filter: AuditFilter, limit: number): Promise<{ rows: AuditRow[]; more: boolean }> {
    await this.flush()
    const rows = await findRows(this.#deps.db, filter, limit + 1)
    return { rows: rows.slice(0, limit).map(toWire), more: rows.length > limit }
  }

  /** All matching rows, the newest first, as JSON lines. */
  async *lines(filter: AuditFilter): AsyncGenerator<string> {
    await this.flush()
    yield* auditLines(this.#deps.db, filter)
  }

  /** Starts periodic pruning. */
  start(): void {
    this.#pruning = setInterval(() => void this.prune(), PRUNE_EVERY).unref()
    void this.prune()
  }

  /** Prunes rows beyond the age or the number that is kept. */
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

  #add(waiting: Waiting): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(waiting)
    else this.#lost += 1
  }

  #flushIn(milliseconds: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), milliseconds).unref()
  }

  async #write(): Promise<void> {
    const { log } = this.#deps
    const rows = this.#waiting
    const lost = this.#lost
    if (rows.length === 0 && lost === 0) return
    this.#waiting = []
    this.#lost = 0
    const gap = { ...OWN, action: 'audit.gap', target: String(lost) } as const
    try {
      await this.#append(lost === 0 ? rows : [...rows, { row: rowOf(gap, this.#now()) }])
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

  /** Without what is written along with the rows, if that is why they cannot be written. */
  async #append(waiting: readonly Waiting[]): Promise<void> {
    const { db, log } = this.#deps
    const deliver = this.#delivering(waiting)
    const rows = waiting.map(({ row }) => row)
    const along = new Map(waiting.flatMap(({ along }, index) => (along ? [[index, along]] : [])))
    if (along.size === 0) return appendRows(db, rows, along, deliver)
    try {
      await appendRows(db, rows, along, deliver)
    } catch (error) {
      await appendRows(db, rows, new Map(), deliver)
      log?.error({ err: error }, 'changes could not be recorded')
    }
  }

  #delivering(written: readonly Waiting[]): (transaction: Db) => Promise<(() => void) | undefined> {
    const rows = written.map(({ row, facts }) => (facts ? { ...row, facts } : row))
    return async transaction => this.#deps.deliver?.(transaction, rows)
  }

  #isRepeated({ action, outcome, way, address, who, path, target }: AuditEvent): boolean {
    const key = JSON.stringify([action, outcome, way, address, who?.id, path, target])
    const now = this.#now()
    const before = this.#seen.get(key)
    if (before !== undefined && now < before + REPEAT_INTERVAL) return true
    if (this.#seen.size >= MOST_REMEMBERED) this.#seen.clear()
    this.#seen.set(key, now)
    return false
  }
}

/** A row that is not written yet. */
interface Waiting {
  row: NewAuditRow
  along?: AlongAudit
  facts?: EventFacts | undefined
}

const OWN = { way: 'server', address: '', outcome: 'done' } as const

/** Reads, and refusals that any client can provoke without limit; each wrong password counts, though. */
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

/** Matching rows, the newest first, as JSON lines. */
export async function* auditLines(db: Db, filter: AuditFilter): AsyncGenerator<string> {
  for (let before = filter.before; ; ) {
    const rows = await findRows(db, before === undefined ? filter : { ...filter, before }, EXPORTED)
    if (rows.length > 0) yield rows.map(row => `${JSON.stringify(toWire(row))}\n`).join('')
    if (rows.length < EXPORTED) return
    // SQLite is read on the event loop's thread, and a fast reader never lets this loop pause.
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

/** Records one event from a short-lived process. @throws AppError when it cannot be written */
export async function recordAlone(db: Db, event: AuditEvent): Promise<void> {
  await appendRows(db, [rowOf(event, Date.now())])
}
