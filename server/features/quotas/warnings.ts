import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'
import { allQuotas } from './view.ts'

/** Percents of a quota at which its user is warned. */
const THRESHOLDS = [80, 95, 100]
/** Percents that a home must fall below a threshold before it counts again: deleting and adding a little is no crossing. */
const MARGIN = 5

/** A user whose home has reached a threshold of its quota. Sizes are in bytes. */
export interface QuotaWarning {
  userId: number
  username: string
  percent: number
  used: number
  limit: number
}

export interface QuotaWarningsDeps {
  db: Db
  cluster: Pick<Cluster, 'lock'>
  /** The homes with a quota. */
  homes(): Promise<{ readonly size: number }>
  /** Writes what other programs receive, in the transaction that remembers the warning. @returns what to do after it */
  deliver(transaction: Db, warning: QuotaWarning): Promise<(() => void) | undefined>
  /** Writes the mail to the user, where there is to be one. */
  mail(warning: QuotaWarning): Promise<unknown>
  log: { error(facts: object, text: string): void }
}

/** Warns users whose quota is nearly used up, once for each time that a threshold is reached. */
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
    const users = homes === 0 ? [] : (await allQuotas(db)).users
    const warned = await warnedUsers(db)
    for (const { id: userId, username, used, limit, exact } of users) {
      const before = warned.get(userId) ?? 0
      warned.delete(userId)
      // A number in doubt is no reason to warn.
      if (limit === null || limit === 0 || !exact) continue
      const percent = reached(used, limit)
      if (percent > before) await this.#warn({ userId, username, percent, used, limit })
      else if (before > 0) await this.#lower(userId, before, reached(used + (limit * MARGIN) / 100, limit))
    }
    await forget(db, [...warned.keys()])
  }

  /** The mail comes first: after a kill in between, it is written twice, but never lost. */
  async #warn(warning: QuotaWarning): Promise<void> {
    const { db, deliver, mail } = this.#deps
    const { userId, percent } = warning
    await mail(warning)
    const after = await db.transaction().execute(async transaction => {
      await transaction
        .insertInto('quota_warnings')
        .values({ user_id: userId, percent })
        .onConflict(conflict => conflict.column('user_id').doUpdateSet({ percent }))
        .execute()
      return deliver(transaction, warning)
    })
    after?.()
  }

  async #lower(userId: number, before: number, percent: number): Promise<void> {
    if (percent >= before) return
    if (percent === 0) return forget(this.#deps.db, [userId])
    await this.#deps.db.updateTable('quota_warnings').set({ percent }).where('user_id', '=', userId).execute()
  }
}

/** The highest threshold that is reached; 0 for none. */
const reached = (used: number, limit: number) => THRESHOLDS.findLast(percent => used * 100 >= limit * percent) ?? 0

async function warnedUsers(db: Db): Promise<Map<number, number>> {
  const rows = await db.selectFrom('quota_warnings').selectAll().execute()
  return new Map(rows.map(({ user_id, percent }) => [user_id, percent]))
}

async function forget(db: Db, users: readonly number[]): Promise<void> {
  for (const userId of users) await db.deleteFrom('quota_warnings').where('user_id', '=', userId).execute()
}
