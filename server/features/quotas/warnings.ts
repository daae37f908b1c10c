import type { QuotaAnswer, QuotasAnswer } from '../../../shared/api/quotas.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { PlaceWarningsTable } from '../../db/quotas-schema.ts'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'
import { allQuotas } from './view.ts'

/** Percents of a quota at which its user is warned. */
const THRESHOLDS = [80, 95, 100]
/** Percents that a home must fall below a threshold before it counts again: deleting and adding a little is no crossing. */
const MARGIN = 5

/** A user whose home has reached a threshold of its quota, or a root or mount that has. Sizes are in bytes. */
export interface QuotaWarning {
  /** 0 for a root or mount. */
  userId: number
  username: string
  /** The name of the root or mount. */
  place?: string
  percent: number
  used: number
  limit: number
}

export interface QuotaWarningsDeps {
  db: Db
  cluster: Pick<Cluster, 'lock'>
  /** The homes, roots and mounts with a quota. */
  homes(): Promise<{ readonly size: number }>
  /** Writes what other programs receive, in the transaction that remembers the warning. @returns what to do after it */
  deliver(transaction: Db, warning: QuotaWarning): Promise<(() => void) | undefined>
  /** Writes the mail to the user, or to administrators, where there is to be one. */
  mail(warning: QuotaWarning): Promise<unknown>
  log: { error(facts: object, text: string): void }
}

/** Warns users whose quota is nearly used up, and administrators of roots and mounts, once for each time that a threshold is reached. */
export class QuotaWarnings {
  readonly #deps: QuotaWarningsDeps
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  /** Whether there may be rows of warnings; false once they were deleted. */
  #mayHaveWarned = true

  constructor(deps: QuotaWarningsDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), LIMITS.quotaWarningTime).unref()
    void this.look()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  /** Never rejects. */
  look(): Promise<void> {
    const { log } = this.#deps
    this.#looking ??= this.#look()
      .catch(error => log.error({ err: error }, 'warnings about quotas were not written'))
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async #look(): Promise<void> {
    const { size } = await this.#deps.homes()
    if (size === 0 && !this.#mayHaveWarned) return
    await this.#deps.cluster.lock('quotas:warnings', () => this.#lookAt(size))
    this.#mayHaveWarned = size > 0
  }

  async #lookAt(homes: number): Promise<void> {
    const { db } = this.#deps
    const { users, roots, mounts } = homes === 0 ? NONE : await allQuotas(db)
    const places = [
      ...roots.map(root => ({ ...root, of: { kind: 'root' as const, place: root.name } })),
      ...mounts.map(mount => ({ ...mount, of: { kind: 'mount' as const, place: mount.id } })),
    ]
    const usersWarned = await warnedUsers(db)
    for (const { id, username, ...fill } of users) {
      const before = usersWarned.get(id) ?? 0
      usersWarned.delete(id)
      await this.#judge(fill, before, {
        warn: full => this.#warn({ userId: id, username, ...full }),
        remember: percent => rememberUser(db, id, percent),
      })
    }
    for (const id of usersWarned.keys()) await rememberUser(db, id, 0)
    const placesWarned = await warnedPlaces(db)
    for (const { of, name, ...fill } of places) {
      const before = placesWarned.get(keyOf(of))?.percent ?? 0
      placesWarned.delete(keyOf(of))
      await this.#judge(fill, before, {
        warn: full => this.#warn({ userId: 0, username: '', place: name, ...full }, of),
        remember: percent => rememberPlace(db, of, percent),
      })
    }
    for (const of of placesWarned.values()) await rememberPlace(db, of, 0)
  }

  /** @param before the threshold that was warned about; 0 for none */
  async #judge(
    { used, limit, exact }: Pick<QuotaAnswer, 'used' | 'limit' | 'exact'>,
    before: number,
    { warn, remember }: { warn(full: Full): Promise<void>; remember(percent: number): Promise<void> },
  ): Promise<void> {
    // A number in doubt is no reason to warn.
    if (limit === null || limit === 0 || !exact) return
    const percent = reached(used, limit)
    if (percent > before) return warn({ percent, used, limit })
    const lower = reached(used + (limit * MARGIN) / 100, limit)
    if (before > 0 && lower < before) await remember(lower)
  }

  /** The mail comes first: after a kill in between, it is written twice, but never lost. */
  async #warn(warning: QuotaWarning, of?: Place): Promise<void> {
    const { db, deliver, mail } = this.#deps
    const { userId, percent } = warning
    await mail(warning)
    const after = await db.transaction().execute(async transaction => {
      await (of ? rememberPlace(transaction, of, percent) : rememberUser(transaction, userId, percent))
      return deliver(transaction, warning)
    })
    after?.()
  }
}

type Full = Pick<QuotaWarning, 'percent' | 'used' | 'limit'>
type Place = Pick<PlaceWarningsTable, 'kind' | 'place'>

const NONE: Pick<QuotasAnswer, 'users' | 'roots' | 'mounts'> = { users: [], roots: [], mounts: [] }

/** The highest threshold that is reached; 0 for none. */
const reached = (used: number, limit: number) => THRESHOLDS.findLast(percent => used * 100 >= limit * percent) ?? 0

async function warnedUsers(db: Db): Promise<Map<number, number>> {
  const rows = await db.selectFrom('quota_warnings').selectAll().execute()
  return new Map(rows.map(({ user_id, percent }) => [user_id, percent]))
}

async function warnedPlaces(db: Db): Promise<Map<string, PlaceWarningsTable>> {
  const rows = await db.selectFrom('place_warnings').selectAll().execute()
  return new Map(rows.map(row => [keyOf(row), row]))
}

const keyOf = ({ kind, place }: Place) => `${kind}:${place}`

/** @param percent 0 to forget it */
async function rememberUser(db: Db, user: number, percent: number): Promise<void> {
  if (percent === 0) {
    await db.deleteFrom('quota_warnings').where('user_id', '=', user).execute()
    return
  }
  await db
    .insertInto('quota_warnings')
    .values({ user_id: user, percent })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet({ percent }))
    .execute()
}

/** @param percent 0 to forget it */
async function rememberPlace(db: Db, { kind, place }: Place, percent: number): Promise<void> {
  if (percent === 0) {
    await db.deleteFrom('place_warnings').where('kind', '=', kind).where('place', '=', place).execute()
    return
  }
  await db
    .insertInto('place_warnings')
    .values({ kind, place, percent })
    .onConflict(conflict => conflict.columns(['kind', 'place']).doUpdateSet({ percent }))
    .execute()
}
