import { AppError } from '../../errors.ts'
import type { OwnQuota } from '../../lib/amount.ts'
import type { GroupDeps } from '../groups/groups.ts'
import { findUser, type StoredUser, setUserQuota } from '../users/users.store.ts'
import { listMeters, mustCount } from './meters.store.ts'

/** Sets the quota of a user, or only that of bytes or items. @throws AppError `not_found` */
export async function setQuotaOfUser(
  { db, cluster }: GroupDeps,
  id: number,
  quota: Partial<OwnQuota>,
): Promise<StoredUser> {
  const user = Number.isSafeInteger(id) ? await findUser(db, id) : undefined
  if (!user) throw new AppError('not_found')
  await setUserQuota(db, id, quota)
  cluster.publish('quotas.changed', {})
  return user
}

/** Has every server with background work count all homes again. */
export async function recountAll({ db, cluster }: GroupDeps): Promise<void> {
  await mustCount(
    db,
    (await listMeters(db)).map(({ id }) => id),
  )
  cluster.publish('quotas.changed', {})
}
