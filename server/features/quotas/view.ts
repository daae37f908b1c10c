import type { QuotaAnswer, QuotasAnswer, UserQuota } from '../../../shared/api/quotas.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { Db } from '../../db/schema.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import { type ActingUser, actingUser } from '../groups/acting-user.ts'
import { listGroups } from '../groups/groups.store.ts'
import { listUsers } from '../users/users.store.ts'
import { effectiveQuota } from './effective.ts'
import { findMeter, listMeters, meterId, type StoredMeter } from './meters.store.ts'

/** The quota of one user, and what their home holds. */
export async function quotaOf(db: Db, user: ActingUser): Promise<QuotaAnswer> {
  const { limit } = effectiveQuota(user)
  return fillOf(limit, limit === undefined ? undefined : await findMeter(db, meterId(scopeFolder(user.scope))))
}

/** Every user with a quota, and every group that gives one. */
export async function allQuotas(db: Db): Promise<QuotasAnswer> {
  const meters = new Map((await listMeters(db)).map(meter => [meter.folder, meter]))
  const users: UserQuota[] = []
  const groups = (await listGroups(db)).flatMap(({ id, name, quotaBytes: own }) =>
    own === null ? [] : [{ id, name, own }],
  )
  for (const stored of await listUsers(db)) {
    if (stored.quotaBytes === null && groups.length === 0) continue
    const quota = viewOf(await actingUser(db, stored), meters)
    if (quota) users.push(quota)
  }
  return { users, groups }
}

function viewOf(user: ActingUser, meters: ReadonlyMap<FilePath, StoredMeter>): UserQuota | undefined {
  const { id, username, quotaBytes: own, scope } = user
  const { limit, by } = effectiveQuota(user)
  if (by === undefined) return undefined
  const fill = fillOf(limit, meters.get(scopeFolder(scope)))
  return { ...fill, id, username, own, ...(by !== 'own' && { group: { id: by.id, name: by.name } }) }
}

function fillOf(limit: number | undefined, meter: StoredMeter | undefined): QuotaAnswer {
  const { bytes: used = 0, held: reserved = 0, state } = meter ?? {}
  return { limit: limit ?? null, used, reserved, exact: limit === undefined || state === 'exact' }
}
