import { UserInput } from '../../../shared/api/users.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { parseSwitch } from '../../config/flags.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { deleteSessionsOf } from '../../features/auth/sessions.store.ts'
import { syncMemberships } from '../../features/groups/groups.ts'
import { MANUAL } from '../../features/groups/members.store.ts'
import { readSettings } from '../../features/settings/settings.store.ts'
import { changeUser, disableUser } from '../../features/users/accounts.ts'
import { readFields, selectFields } from '../../features/users/fields.ts'
import { hashPassword } from '../../features/users/password.ts'
import { checkPassword } from '../../features/users/password-policy.ts'
import { type NewUser, type StoredUser, setHasHome } from '../../features/users/users.store.ts'
import { checked } from '../check.ts'
import type { Arguments, Command } from '../command.ts'
import { applyFlags, type FieldFlag, fieldFlag, givenFields } from '../fields.ts'
import { demandGroup } from '../named-group.ts'
import { inTransaction, withDb } from '../open.ts'
import { USER_FLAGS } from '../user-flags.ts'
import { demandUser, printUsers, refuseTakenName } from './common.ts'

const FLAGS: readonly FieldFlag[] = [
  ...USER_FLAGS,
  fieldFlag('username', 'text', 'username', 'New name.', { short: 'u' }),
  fieldFlag('password', 'text', 'password', 'New password; ends every session of the user.', { short: 'p' }),
]

/** The user is in the named groups afterwards, and in those that a provider gives. */
const GROUP_FLAG = { flag: 'group', doc: 'The groups that the user is in, separated by commas; none if empty.' }

/** Until it is enabled again the account is as if it were deleted. */
const DISABLED_FLAG: FieldFlag = fieldFlag(
  'disabled',
  'switch',
  'disabled',
  'The account is disabled: no sign-in, and its links, shares and API tokens are refused.',
)

/** Without a home the user has only mounts, and what others share. */
const HOME_FLAG = { flag: 'home', doc: 'scope: the folder of the scope, which must exist, is the home; none: no home.' }
const HOMES = ['scope', 'none']

export const command: Command = {
  usage: '<id|username>',
  summary: 'Changes the given fields of a user',
  flags: [...FLAGS, DISABLED_FLAG, HOME_FLAG, GROUP_FLAG],
  words: { least: 1, most: 1 },
  changes: true,
  run: given => withDb(given, async db => printUsers([await update(db, given)])),
}

async function update(db: Db, { flags, positionals }: Arguments): Promise<StoredUser> {
  const names = givenFields(flags, FLAGS)
  const groups = flags.get('group')
  const disabled = flags.get(DISABLED_FLAG.flag)
  const home = flags.get(HOME_FLAG.flag)
  if (home !== undefined && !HOMES.includes(home))
    throw new AppError('bad_request', `A home is one of: ${HOMES.join(', ')}.`)
  if (names.length === 0 && [groups, disabled, home].every(given => given === undefined))
    throw new AppError('bad_request', 'No changes given. Try: filigree help users update')
  const passwordHash = await newHash(db, flags.get('password'))
  return inTransaction(db, async transaction => {
    const user = await demandUser(transaction, positionals[0] ?? '')
    const input = checked(UserInput, { ...applyFlags(user, flags, FLAGS) }, '')
    const changes: Partial<NewUser> = readFields(input, selectFields(names))
    if (changes.username !== undefined && changes.username !== user.username) {
      await refuseTakenName(transaction, changes.username)
    }
    if (passwordHash !== undefined) changes.passwordHash = passwordHash
    const changed = names.length === 0 ? user : await change(transaction, user.id, changes)
    if (groups !== undefined) await setGroups(transaction, user.id, groups)
    const isDisabled = disabled === undefined ? user.isDisabled : parseSwitch(disabled, '--disabled')
    if (disabled !== undefined) await disable(transaction, user.id, isDisabled)
    if (home !== undefined) await setHasHome(transaction, user.id, home === 'scope')
    if (passwordHash !== undefined) await deleteSessionsOf(transaction, user.id)
    return { ...changed, isDisabled }
  })
}

async function disable(db: Db, id: number, isDisabled: boolean): Promise<void> {
  await disableUser({ db, cluster: openLocalCluster() }, id, isDisabled).catch(explain)
  if (isDisabled) await deleteSessionsOf(db, id)
}

/** @throws AppError `not_found` for a group that does not exist */
async function setGroups(db: Db, id: number, text: string): Promise<void> {
  const names = []
  for (const word of text.split(',').flatMap(item => item.trim() || [])) names.push((await demandGroup(db, word)).name)
  await syncMemberships({ db, cluster: openLocalCluster() }, id, MANUAL, names)
}

async function newHash(db: Db, password: string | undefined): Promise<string | undefined> {
  if (password === undefined) return undefined
  checkPassword(password, (await readSettings(db)).minimumPasswordLength)
  return hashPassword(password)
}

function change(db: Db, id: number, changes: Partial<NewUser>): Promise<StoredUser> {
  return changeUser({ db, cluster: openLocalCluster() }, id, changes).catch(explain)
}

function explain(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'forbidden') throw error
  throw new AppError('forbidden', 'This is the only administrator. Create another one first.')
}
