import { highestUserId } from '../../../db/ids.ts'
import { AppError } from '../../../errors.ts'
import { deleteSessionsOf } from '../../../features/auth/sessions.store.ts'
import {
  addUser,
  findUser,
  findUserByName,
  listUsers,
  type NewUser,
  replaceUser,
  type StoredUser,
} from '../../../features/users/users.store.ts'
import { fingerprint, fingerprintsOf } from '../../fingerprint.ts'
import type { Memory } from '../import-state.ts'
import { merge } from '../merge.ts'
import { type Tell, teller } from '../normalize.ts'
import type { Tally } from '../report.ts'
import type { Incomer } from '../users.ts'
import { emptyTally, type Ground } from './import-context.ts'

/** The largest id that is taken over: from there on it is counted. */
const LARGEST_ID = 2 ** 31

export interface BroughtUsers {
  /** Who they are here, by their ids over there. */
  people: ReadonlyMap<number, StoredUser>
  tally: Tally
  came: Memory['users']
}

/**
 * Brings the users. Who came the last time is known by the id, others by the name; ids stay what they are unless somebody
 * here had them.
 * @throws AppError `forbidden` when nobody would be left to administrate
 */
export async function bringUsers(ground: Ground, incomers: readonly Incomer[]): Promise<BroughtUsers> {
  const { db, last } = ground
  const hadAdmin = (await listUsers(db)).some(({ perm }) => perm.admin)
  const highest = await highestUserId(db)
  const people = new Map<number, StoredUser>()
  const tally = emptyTally()
  const came: Memory['users'] = { ...last?.users }
  const isFree = ({ id }: Incomer) => id > highest && id < LARGEST_ID
  // New ids are given last, so that none is somebody's who comes later.
  for (const incomer of [...incomers.filter(isFree), ...incomers.filter(one => !isFree(one))]) {
    const { person, became } = await bringUser(ground, incomer, isFree(incomer))
    tally[became] += 1
    if (!person) continue
    people.set(incomer.id, person)
    came[incomer.id] = { id: person.id, fields: fingerprintsOf(incomer.user) }
  }
  if (incomers.length > 0) await tellOfGone(ground, incomers)
  if (hadAdmin && !(await listUsers(db)).some(({ perm }) => perm.admin)) {
    throw new AppError('forbidden', 'That would leave no administrator here. Nothing was changed.')
  }
  return { people, tally, came }
}

/** Nobody is removed here because they were removed over there; it is only told. */
async function tellOfGone({ db, last, notes }: Ground, incomers: readonly Incomer[]): Promise<void> {
  for (const [id, { id: hereId }] of Object.entries(last?.users ?? {})) {
    if (incomers.some(incomer => incomer.id === Number(id))) continue
    const here = await findUser(db, hereId)
    if (here) teller(notes, `user ${here.username}`)('kept', 'is no longer over there')
  }
}

interface Brought {
  person?: StoredUser
  became: keyof Tally
}

async function bringUser(ground: Ground, { id, user }: Incomer, isFree: boolean): Promise<Brought> {
  const { db, last, overwrite, notes } = ground
  const tell = teller(notes, `user ${user.username}`)
  const earlier = last?.users[id]
  const standing = (earlier && (await findUser(db, earlier.id))) ?? (await findUserByName(db, user.username))
  if (standing) return update(ground, standing, user, earlier?.fields ?? {}, tell)
  if (earlier && !overwrite) {
    tell('kept', 'was removed here')
    return { became: 'kept' }
  }
  const person = await addUser(db, user, isFree ? id : undefined)
  tell('comes', `into ${user.scope}${user.perm.admin ? ', as an administrator' : ''}`)
  if (person.id !== id) tell('changes', `has the id ${person.id} here, not ${id}, which somebody had before`)
  return { person, became: 'added' }
}

async function update(
  { db, overwrite }: Ground,
  standing: StoredUser,
  user: NewUser,
  last: Readonly<Record<string, string>>,
  tell: Tell,
): Promise<Brought> {
  const { result, taken, kept } = merge<NewUser>(standing, user, last, overwrite)
  const named = await findUserByName(db, result.username)
  if (named && named.id !== standing.id) throw new AppError('exists', `The name ${result.username} is taken here.`)
  if (taken.length > 0) {
    await replaceUser(db, standing.id, result)
    if (taken.includes('passwordHash')) await deleteSessionsOf(db, standing.id)
    tell('comes', `changed: ${taken.join(', ')}`)
  }
  // A hash is made anew when somebody signs in, which is no change of theirs.
  const differing = kept.filter(name => name !== 'passwordHash' || fingerprint(user.passwordHash) !== last[name])
  if (differing.length > 0) tell('kept', differing.join(', '))
  const became = taken.length > 0 ? 'changed' : differing.length > 0 ? 'kept' : 'same'
  return { person: { ...standing, ...result }, became }
}
