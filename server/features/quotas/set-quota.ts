import { AppError } from '../../errors.ts'
import type { GroupDeps } from '../groups/groups.ts'
import { findUser, type StoredUser, setUserQuota } from '../users/users.store.ts'
import { listMeters, mustCount } from './meters.store.ts'

/** Sets the quota of a user. @param bytes null for what the groups give, -1 for no limit @throws AppError `not_found` */
export async function setQuotaOfUser(
  { db, cluster }: GroupDeps,
  id: number,
  bytes: number | null,
): Promise<StoredUser> {
  const user = Number.isSafeInteger(id) ? await findUser(db, id) : undefined
  if (!user) throw new AppError('not_found')
  await setUserQuota(db, id, bytes)
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
