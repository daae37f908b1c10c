import type { QuotaAnswer, QuotasAnswer, UserQuota } from '../../../shared/api/quotas.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { Db } from '../../db/schema.ts'
import type { QuotaLimits } from '../../files/metering.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import { NOTHING } from '../../lib/amount.ts'
import { type ActingUser, actingUser } from '../groups/acting-user.ts'
import { listGroups } from '../groups/groups.store.ts'
import { listUsers } from '../users/users.store.ts'
import { effectiveQuota, isLimited, limitsOf } from './effective.ts'
import { limitedPlaces } from './homes.ts'
import { findMeter, listMeters, meterId, type StoredMeter } from './meters.store.ts'

const NO_LIMITS: QuotaLimits = { bytes: undefined, items: undefined }

/** The quota of one user, and what their home holds. */
export async function quotaOf(db: Db, user: ActingUser): Promise<QuotaAnswer> {
  const limits = user.hasHome ? limitsOf(user) : NO_LIMITS
  return fillOf(limits, isLimited(limits) ? await findMeter(db, meterId(scopeFolder(user.scope))) : undefined)
}

/** Every user, root and mount with a quota, and every group that gives one. */
export async function allQuotas(db: Db): Promise<QuotasAnswer> {
  const meters = new Map((await listMeters(db)).map(meter => [meter.folder, meter]))
  const users: UserQuota[] = []
  const groups = (await listGroups(db)).flatMap(({ id, name, quota: { bytes: own, items: ownItems } }) =>
    own === null && ownItems === null ? [] : [{ id, name, own, ownItems }],
  )
  for (const stored of await listUsers(db)) {
    if (stored.quota.bytes === null && stored.quota.items === null && groups.length === 0) continue
    const quota = viewOf(await actingUser(db, stored), meters)
    if (quota) users.push(quota)
  }
  const places = (await limitedPlaces(db)).map(({ place, limits, ...about }) => ({
    ...about,
    ...fillOf(limits, meters.get(place)),
  }))
  return {
    ...{ users, groups },
    roots: places.flatMap(({ kind, id: _, ...root }) => (kind === 'root' ? [root] : [])),
    mounts: places.flatMap(({ kind, ...mount }) => (kind === 'mount' ? [mount] : [])),
  }
}

function viewOf(user: ActingUser, meters: ReadonlyMap<FilePath, StoredMeter>): UserQuota | undefined {
  const { id, username, quota, scope, hasHome } = user
  if (!hasHome) return undefined
  const { by } = effectiveQuota('bytes', user)
  const { by: itemsBy } = effectiveQuota('items', user)
  if (by === undefined && itemsBy === undefined) return undefined
  const [group, itemsGroup] = [groupIn(by), groupIn(itemsBy)]
  return {
    ...fillOf(limitsOf(user), meters.get(scopeFolder(scope))),
    ...{ id, username, own: quota.bytes, ownItems: quota.items },
    ...(group && { group }),
    ...(itemsGroup && { itemsGroup }),
  }
}

const groupIn = (by: 'own' | { id: string; name: string } | undefined) =>
  by === undefined || by === 'own' ? undefined : { id: by.id, name: by.name }

function fillOf({ bytes, items }: QuotaLimits, meter: StoredMeter | undefined): QuotaAnswer {
  const { used = NOTHING, held = NOTHING, state } = meter ?? {}
  return {
    ...{ limit: bytes ?? null, used: used.bytes, reserved: held.bytes },
    exact: !isLimited({ bytes, items }) || state === 'exact',
    items: { limit: items ?? null, used: used.items, reserved: held.items },
  }
}
