import { openLocalCluster } from '../cluster/local.ts'
import type { Db } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { findGroup, findGroupByName, type StoredGroup } from '../features/groups/groups.store.ts'
import type { GroupDeps } from '../features/groups/groups.ts'
import { printable } from './print.ts'

/** A running server reads the groups of a user again with the next request. */
export const groupDeps = (db: Db): GroupDeps => ({ db, cluster: openLocalCluster() })

/** The group that an argument names, by name or id. @throws AppError `not_found` */
export async function demandGroup(db: Db, word: string): Promise<StoredGroup> {
  const group = (await findGroupByName(db, word)) ?? (await findGroup(db, word))
  if (!group) throw new AppError('not_found', `There is no group '${printable(word)}'.`)
  return group
}
