import type { Arguments } from '../../config/flags.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { keyOf } from '../../features/groups/groups.store.ts'
import { listMounts, type MountSubject, type StoredMount } from '../../features/groups/mounts.store.ts'
import type { DescribedFlag } from '../command.ts'
import { demandGroup } from '../named-group.ts'
import { printable } from '../print.ts'
import { demandUser } from '../users/common.ts'

export const SUBJECT_FLAGS: readonly DescribedFlag[] = [
  { flag: 'user', short: 'u', doc: 'The user with this name or id.' },
  { flag: 'group', short: 'g', doc: 'The group with this name or id.' },
]

/** The mount that an argument names, by name or id. @throws AppError `not_found` */
export async function demandMount(db: Db, word: string): Promise<StoredMount> {
  const mounts = await listMounts(db)
  const mount = mounts.find(({ name }) => keyOf(name) === keyOf(word)) ?? mounts.find(({ id }) => id === word)
  if (mount) return mount
  throw new AppError('not_found', `There is no mount ${printable(word)}. List them with: filigree mounts ls`)
}

/** The user, or the group, that a flag names. @throws AppError `bad_request` for none and for both, `not_found` */
export async function subjectIn(db: Db, { flags }: Pick<Arguments, 'flags'>): Promise<MountSubject> {
  const [user, group] = [flags.get('user'), flags.get('group')]
  if ((user === undefined) === (group === undefined)) throw new AppError('bad_request', 'Give --user or --group.')
  if (user !== undefined) return { kind: 'user', id: (await demandUser(db, user)).id }
  return { kind: 'group', id: (await demandGroup(db, group ?? '')).id }
}
