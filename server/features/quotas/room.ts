import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/schema.ts'
import type { Meter, Reservation } from '../../files/metering.ts'
import { type Amount, isNothing, minus, NOTHING, plus, positive } from '../../lib/amount.ts'
import { type Counters, dropHold, holdIn, holdsOf, rest, settleIn } from './holds.store.ts'

/** What a room does with its server. */
export interface RoomDeps {
  db: Db
  /** This process. */
  owner: string
  now(): number
  /** The change has begun to hold room. */
  opened(id: string): void
  /** It has ended, or waits for another request. */
  closed(id: string): void
  /** It could not be settled now. */
  failed(id: string, thrown: unknown): void
  /** A meter has to be counted again. */
  recount(): void
  /** A meter no longer exists. */
  missing(): void
}

/** What a change does in one meter. */
interface Share {
  held: Amount
  used: Amount
  added: Amount
  began: Counters
}

/** The reservation of one change; see `Reservation`. */
export class Room implements Reservation {
  readonly #deps: RoomDeps
  readonly #id: string
  readonly #kind: 'change' | 'upload'
  readonly #shares = new Map<string, Share>()
  /** What an earlier request holds under the same id. */
  #earlier: Promise<Map<string, Amount>> | undefined
  #doubt = false
  #ended = false

  /** @param upload the id of a resumable upload, which waits between its requests */
  constructor(deps: RoomDeps, upload?: string) {
    this.#deps = deps
    this.#id = upload ?? randomBytes(16).toString('base64url')
    this.#kind = upload === undefined ? 'change' : 'upload'
  }

  async take(meters: readonly Meter[], amount: Amount): Promise<void> {
    if (meters.length === 0) return
    const earlier = await this.#held()
    const grows = meters
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .flatMap(meter => {
        const share = this.#shares.get(meter.id)
        const held = share?.held ?? earlier.get(meter.id) ?? NOTHING
        const used = plus(share?.used ?? NOTHING, amount)
        return { meter, held, used, lacks: positive(minus(used, held)) }
      })
    const began = await this.#hold(grows.filter(({ meter, lacks }) => !isNothing(lacks) || !this.#shares.has(meter.id)))
    for (const { meter, held, used, lacks } of grows) {
      const share = this.#shares.get(meter.id)
      const counters = share?.began ?? began.get(meter.id)
      if (!counters) continue
      this.#shares.set(meter.id, { held: plus(held, lacks), used, added: share?.added ?? NOTHING, began: counters })
    }
  }

  add(meters: readonly Meter[], amount: Amount): void {
    for (const { id } of meters) {
      const share = this.#shares.get(id)
      if (share) share.added = plus(share.added, amount)
    }
  }

  doubt(): void {
    this.#doubt = true
  }

  async end({ tree = false }: { tree?: boolean } = {}): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    try {
      await this.#settle(tree)
      this.#deps.closed(this.#id)
    } catch (thrown) {
      this.#deps.failed(this.#id, thrown)
    }
  }

  async pause(): Promise<void> {
    if (this.#ended || this.#shares.size === 0) return
    this.#ended = true
    try {
      await rest(this.#deps.db, this.#id)
      this.#deps.closed(this.#id)
    } catch (thrown) {
      this.#deps.failed(this.#id, thrown)
    }
  }

  async #held(): Promise<Map<string, Amount>> {
    if (this.#kind === 'change') return new Map()
    this.#earlier ??= holdsOf(this.#deps.db, this.#id)
    return this.#earlier
  }

  /** @throws AppError `quota_exceeded`; nothing more is held then */
  async #hold(grows: readonly { meter: Meter; lacks: Amount }[]): Promise<Map<string, Counters>> {
    const began = new Map<string, Counters>()
    if (grows.length === 0) return began
    const { db, now, missing, opened } = this.#deps
    // An upload belongs to no process until it is published.
    const waits = this.#kind === 'upload' && (await this.#held()).size === 0
    const owner = waits ? '' : this.#deps.owner
    const holder = { id: this.#id, kind: this.#kind, owner, now: now() }
    if (!waits) opened(this.#id)
    await db.transaction().execute(async transaction => {
      for (const { meter, lacks } of grows) {
        const counters = await holdIn(transaction, meter, lacks, holder)
        if (counters) began.set(meter.id, counters)
        else missing()
      }
    })
    return began
  }

  async #settle(tree: boolean): Promise<void> {
    const earlier = await this.#held()
    const ids = [...new Set([...this.#shares.keys(), ...earlier.keys()])].sort()
    if (ids.length === 0) return
    const doubtful = await this.#deps.db.transaction().execute(async transaction => {
      let any = false
      for (const meter of ids) {
        const share = this.#shares.get(meter)
        const { held, added, began } = share ?? {
          held: earlier.get(meter) ?? NOTHING,
          added: NOTHING,
          began: { changes: 0, trees: 0 },
        }
        const settlement = { meter, added, held, began, tree, doubt: this.#doubt }
        any = (await settleIn(transaction, settlement)) || any
      }
      await dropHold(transaction, this.#id)
      return any
    })
    if (doubtful) this.#deps.recount()
  }
}
