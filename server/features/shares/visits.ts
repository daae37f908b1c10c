import type { FastifyRequest } from 'fastify'
import type { FilePath } from '../../../shared/path.ts'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'
import { queryOf } from '../../routing/route.ts'
import { networkOf } from '../users/password-throttle.ts'
import { forgetLinkEvents, insertLinkEvent, type LinkEvent } from './link-events.store.ts'
import { countVisit } from './shares.store.ts'

/** Milliseconds in which further calls from one network belong to the same visit. */
const VISIT = LIMITS.linkVisit
/** Lists are cut to what is shown once in so many events of this server. */
const SWEEP_EVERY = 50
/** Visits remembered for that; the oldest give way. */
const MOST = 10_000

/**
 * Counts how often links are opened and downloaded from (http-api 10.1): no addresses are stored, and a failure to
 * count refuses nothing.
 */
export class Visits {
  readonly #db: Db
  /** When a visit began, by link and network, in milliseconds since the epoch. */
  readonly #begun = new Map<string, number>()

  #noted = 0

  constructor(db: Db) {
    this.#db = db
  }

  /** Counts one opening per network and visit. */
  async opened(hash: string, path: FilePath, { ip }: FastifyRequest): Promise<void> {
    const key = `${hash} ${networkOf(ip)}`
    const now = Date.now()
    if (now - (this.#begun.get(key) ?? 0) < VISIT) return
    this.#begun.delete(key)
    this.#begun.set(key, now)
    const [oldest] = this.#begun.keys()
    if (this.#begun.size > MOST && oldest !== undefined) this.#begun.delete(oldest)
    await countVisit(this.#db, hash, 'views', now).catch(() => {})
    await this.noted(hash, { at: now, what: 'view', path })
  }

  /** Counts a download, but not what a page shows of it, nor the rest of one that was interrupted. */
  async downloaded(hash: string, path: FilePath, request: FastifyRequest): Promise<void> {
    const { range = 'bytes=0-' } = request.headers
    const isBegun = request.method === 'GET' && range.startsWith('bytes=0-') && queryOf(request, 'inline') !== 'true'
    if (!isBegun) return
    const now = Date.now()
    await countVisit(this.#db, hash, 'downloads', now).catch(() => {})
    await this.noted(hash, { at: now, what: 'download', path })
  }

  /** Adds to the list of the link, which keeps the last ones. */
  async noted(hash: string, event: LinkEvent): Promise<void> {
    this.#noted += 1
    await insertLinkEvent(this.#db, hash, event)
      .then(() => (this.#noted % SWEEP_EVERY === 0 ? forgetLinkEvents(this.#db, hash, LIMITS.linkEvents) : undefined))
      .catch(() => {})
  }
}
