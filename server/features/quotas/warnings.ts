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
    const fills = [
      ...users.map(({ id, username, ...fill }) => ({ of: id, about: { userId: id, username }, fill })),
      ...roots.map(root => ({ of: { kind: 'root' as const, place: root.name }, about: ofPlace(root), fill: root })),
      ...mounts.map(mount => ({ of: { kind: 'mount' as const, place: mount.id }, about: ofPlace(mount), fill: mount })),
    ]
    const warned = await warnedOf(db)
    for (const { of, about, fill } of fills) {
      const before = warned.get(keyOf(of))?.percent ?? 0
      warned.delete(keyOf(of))
      await this.#judge(fill, before, {
        warn: full => this.#warn({ ...about, ...full }, of),
        remember: percent => db.transaction().execute(transaction => remember(transaction, of, percent)),
      })
    }
    for (const { of } of warned.values()) await remember(db, of, 0)
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
  async #warn(warning: QuotaWarning, of: Warned): Promise<void> {
    const { db, deliver, mail } = this.#deps
    await mail(warning)
    const after = await db.transaction().execute(async transaction => {
      await remember(transaction, of, warning.percent)
      return deliver(transaction, warning)
    })
    after?.()
  }
}

type Full = Pick<QuotaWarning, 'percent' | 'used' | 'limit'>
/** A user, by their id, or a root or mount. */
type Warned = number | Pick<PlaceWarningsTable, 'kind' | 'place'>

const ofPlace = ({ name }: { name: string }) => ({ userId: 0, username: '', place: name })
const NONE: Pick<QuotasAnswer, 'users' | 'roots' | 'mounts'> = { users: [], roots: [], mounts: [] }

/** The highest threshold that is reached; 0 for none. */
const reached = (used: number, limit: number) => THRESHOLDS.findLast(percent => used * 100 >= limit * percent) ?? 0

/** What was warned about, by `keyOf`. */
async function warnedOf(db: Db): Promise<Map<string, { of: Warned; percent: number }>> {
  const users = await db.selectFrom('quota_warnings').selectAll().execute()
  const places = await db.selectFrom('place_warnings').selectAll().execute()
  const all = [...users.map(({ user_id: of, percent }) => ({ of, percent })), ...places.map(of => ({ ...of, of }))]
  return new Map(all.map(({ of, percent }) => [keyOf(of), { of, percent }]))
}

const keyOf = (of: Warned) => (typeof of === 'number' ? String(of) : `${of.kind}:${of.place}`)

/** To be called in a transaction. @param percent 0 to forget it */
async function remember(db: Db, of: Warned, percent: number): Promise<void> {
  const [table, key] =
    typeof of === 'number'
      ? (['quota_warnings', { user_id: of }] as const)
      : (['place_warnings', { kind: of.kind, place: of.place }] as const)
  await db
    .deleteFrom(table)
    .where(({ and }) => and(key))
    .execute()
  if (percent > 0)
    await db
      .insertInto(table)
      .values({ ...key, percent })
      .execute()
}
