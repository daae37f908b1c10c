import { randomBytes } from 'node:crypto'
import type { DeliveriesPage } from '../../../shared/api/shares.ts'
import type { DeliveriesTable } from '../../db/links-schema.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import {
  type DeliveryCursor,
  findDelivery,
  holdDelivery,
  listDeliveries,
  type NewDelivery,
  receiveDelivery,
  releaseDelivery,
} from './deliveries.store.ts'

/** What visitors of file requests send, within the limits of each link (http-api 10.3). */
export class Deliveries {
  readonly #db: Db
  readonly #onArrival: (link: string, at: number) => Promise<void>

  /** @param onArrival runs when a file has arrived by a link; must not reject */
  constructor(db: Db, onArrival: (link: string, at: number) => Promise<void> = async () => {}) {
    this.#db = db
    this.#onArrival = onArrival
  }

  /**
   * Holds room for a file. @returns its id, a secret of its visitor
   * @throws AppError `body_too_large` beyond a limit of the link
   */
  async hold(delivery: Omit<NewDelivery, 'id'>): Promise<string> {
    const id = randomBytes(16).toString('base64url')
    if (await holdDelivery(this.#db, { ...delivery, id })) return id
    throw new AppError('body_too_large', 'beyond the limits of this link')
  }

  /** A file, perhaps on its way. @throws AppError `not_found` where the link knows none of this id */
  async find(link: string, id: string): Promise<DeliveriesTable> {
    const found = await findDelivery(this.#db, link, id)
    if (!found) throw new AppError('not_found')
    return found
  }

  /** See `Deliveries` of the uploads. */
  async arrived(id: string, file: { name: string } | undefined): Promise<void> {
    const now = Date.now()
    const link = await receiveDelivery(this.#db, id, file?.name ?? '', now)
    if (link !== undefined && file) await this.#onArrival(link, now)
  }

  /** See `Deliveries` of the uploads. */
  gone(id: string): Promise<void> {
    return releaseDelivery(this.#db, id)
  }

  /** What arrived by a link. @param before `next` of the previous page @throws AppError `bad_request` */
  async page(link: string, before: string | undefined): Promise<DeliveriesPage> {
    const cursor = before === undefined ? undefined : parseCursor(before)
    const found = await listDeliveries(this.#db, link, { before: cursor, count: LIMITS.deliveries + 1 })
    const shown = found.slice(0, LIMITS.deliveries)
    const last = shown.at(-1)
    return {
      deliveries: shown.map(({ path, given, sender, note, bytes, arrived_at }) => ({
        ...{ name: path, given, sender, note },
        ...{ size: bytes, time: rfc3339(arrived_at) },
      })),
      ...(last && found.length > shown.length && { next: `${last.arrived_at}.${last.id}` }),
    }
  }
}

function parseCursor(text: string): DeliveryCursor {
  const [, time = '', id = ''] = /^(\d{1,15})\.([\w-]{22})$/.exec(text) ?? []
  if (id === '') throw new AppError('bad_request', 'before: must be `next` of a page')
  return { time: Number(time), id }
}
