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
import type { ImportState } from '../import-state.ts'
import { merge } from '../merge.ts'
import { type Reporter, reporterFor } from '../normalize.ts'
import type { Tally } from '../report.ts'
import type { ImportedUser } from '../users.ts'
import { emptyTally, type ImportContext } from './import-context.ts'

/** The largest id that is kept; higher ids are reassigned. */
const LARGEST_ID = 2 ** 31

export interface ImportedUsers {
  /** Users here, by their ids in File Browser. */
  people: ReadonlyMap<number, StoredUser>
  tally: Tally
  came: ImportState['users']
}

/**
 * Imports the users. Users of the last import are matched by id, others by name; ids are kept unless they are taken.
 * @throws AppError `forbidden` when no administrator would be left
 */
export async function importAllUsers(
  context: ImportContext,
  incomers: readonly ImportedUser[],
): Promise<ImportedUsers> {
  const { db, last } = context
  const hadAdmin = (await listUsers(db)).some(({ perm }) => perm.admin)
  const highest = await highestUserId(db)
  const people = new Map<number, StoredUser>()
  const tally = emptyTally()
  const came: ImportState['users'] = { ...last?.users }
  const isFree = ({ id }: ImportedUser) => id > highest && id < LARGEST_ID
  // New ids are assigned last, so that none conflicts with an imported one.
  for (const incomer of [...incomers.filter(isFree), ...incomers.filter(one => !isFree(one))]) {
    const { person, became } = await importUser(context, incomer, isFree(incomer))
    tally[became] += 1
    if (!person) continue
    people.set(incomer.id, person)
    came[incomer.id] = { id: person.id, fields: fingerprintsOf(incomer.user) }
  }
  if (incomers.length > 0) await reportRemoved(context, incomers)
  if (hadAdmin && !(await listUsers(db)).some(({ perm }) => perm.admin)) {
    throw new AppError('forbidden', 'That would leave no administrator here. Nothing was changed.')
  }
  return { people, tally, came }
}

/** Users removed in File Browser are reported, not removed. */
async function reportRemoved({ db, last, notes }: ImportContext, incomers: readonly ImportedUser[]): Promise<void> {
  for (const [id, { id: hereId }] of Object.entries(last?.users ?? {})) {
    if (incomers.some(incomer => incomer.id === Number(id))) continue
    const here = await findUser(db, hereId)
    if (here) reporterFor(notes, `user ${here.username}`)('kept', 'no longer exists in File Browser')
  }
}

interface ImportOutcome {
  person?: StoredUser
  became: keyof Tally
}

async function importUser(context: ImportContext, { id, user }: ImportedUser, isFree: boolean): Promise<ImportOutcome> {
  const { db, last, overwrite, notes } = context
  const report = reporterFor(notes, `user ${user.username}`)
  const earlier = last?.users[id]
  const standing = (earlier && (await findUser(db, earlier.id))) ?? (await findUserByName(db, user.username))
  if (standing) return update(context, standing, user, earlier?.fields ?? {}, report)
  if (earlier && !overwrite) {
    report('kept', 'was removed here')
    return { became: 'kept' }
  }
  const person = await addUser(db, user, isFree ? id : undefined)
  report('comes', `into ${user.scope}${user.perm.admin ? ', as an administrator' : ''}`)
  if (person.id !== id) report('changes', `has the id ${person.id} here; ${id} was taken`)
  return { person, became: 'added' }
}

async function update(
  { db, overwrite }: ImportContext,
  standing: StoredUser,
  user: NewUser,
  last: Readonly<Record<string, string>>,
  report: Reporter,
): Promise<ImportOutcome> {
  const { result, taken, kept } = merge<NewUser>(standing, user, last, overwrite)
  const named = await findUserByName(db, result.username)
  if (named && named.id !== standing.id) throw new AppError('exists', `The name ${result.username} is taken.`)
  if (taken.length > 0) {
    await replaceUser(db, standing.id, result)
    if (taken.includes('passwordHash')) await deleteSessionsOf(db, standing.id)
    report('comes', `changed: ${taken.join(', ')}`)
  }
  // A sign-in upgrades the hash, which is not a change by the user.
  const differing = kept.filter(name => name !== 'passwordHash' || fingerprint(user.passwordHash) !== last[name])
  if (differing.length > 0) report('kept', differing.join(', '))
  const became = taken.length > 0 ? 'changed' : differing.length > 0 ? 'kept' : 'same'
  return { person: { ...standing, ...result }, became }
}
