import type { FactorPolicy } from '../../../shared/api/access-settings.ts'
import type { Db } from '../../db/schema.ts'
import { dropDuty, noteDuty } from '../factors/duties.store.ts'
import { hasFactor } from '../factors/factors.store.ts'
import { type ActingUser, actingUser } from '../groups/acting-user.ts'
import { readAccessSettings, readAuthSettings } from '../settings/settings.store.ts'
import type { StoredUser } from '../users/users.store.ts'
import { findSession } from './sessions.store.ts'

const DAY = 86_400_000

/**
 * The duty of users to have a second factor (http-api 34), where this server checks passwords. It holds at sign-ins with a
 * password, and with a provider that checked no second factor.
 */
export class FactorDuty {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** Whether a user must have a second factor, now or later. */
  async binds(user: StoredUser | ActingUser): Promise<boolean> {
    return (await this.#policyFor(user)) !== undefined
  }

  /**
   * When a user without a second factor must have one, in milliseconds since the epoch. The first call for a user under
   * the duty begins the grace.
   * @returns `undefined` for a user who has one, or without the duty
   */
  async dueAt(user: StoredUser): Promise<number | undefined> {
    const policy = await this.#policyFor(user)
    if (!policy) return undefined
    if (await hasFactor(this.#db, user.id)) return undefined
    const due = await noteDuty(this.#db, user.id, Date.now() + policy.graceDays * DAY)
    return Math.max(due, policy.from === null ? 0 : Date.parse(policy.from))
  }

  /** The same for the user of a session: a second factor that its provider checked fulfils the duty as long as it counts. */
  async dueIn(user: StoredUser, sessionId: string): Promise<number | undefined> {
    const session = await findSession(this.#db, sessionId)
    const isProven = session !== undefined && session.provider_factor !== 0
    if (isProven && (await readAccessSettings(this.#db)).secondFactor.trustProviders) return undefined
    return this.dueAt(user)
  }

  /** Whether a user must set up a second factor before anything else. */
  async isOverdue(user: StoredUser): Promise<boolean> {
    const due = await this.dueAt(user)
    return due !== undefined && due <= Date.now()
  }

  async #policyFor(user: StoredUser | ActingUser): Promise<FactorPolicy | undefined> {
    const { secondFactor: policy } = await readAccessSettings(this.#db)
    if (policy.require === 'none') return undefined
    if ((await readAuthSettings(this.#db)).method !== 'json') return undefined
    if (isUnder(policy, await actingUser(this.#db, user))) return policy
    // The grace counts from the day on which the duty binds the user again.
    await dropDuty(this.#db, user.id)
    return undefined
  }
}

function isUnder({ require, groups: named }: FactorPolicy, { perm, groups }: ActingUser): boolean {
  if (require === 'all') return true
  return require === 'admins' ? perm.admin : groups.some(({ id }) => named.includes(id))
}
