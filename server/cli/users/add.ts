import { UserInput } from '../../../shared/api/users.ts'
import { type Context, createContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { readSettings } from '../../features/settings/settings.store.ts'
import { provisionUser } from '../../features/users/accounts.ts'
import { readFields, selectFields } from '../../features/users/fields.ts'
import { hashPassword } from '../../features/users/password.ts'
import { checkPassword } from '../../features/users/password-policy.ts'
import { BLANK_USER, type StoredUser } from '../../features/users/users.store.ts'
import { checked } from '../check.ts'
import { type Arguments, type Command, ROOT_FLAG } from '../command.ts'
import { applyFlags } from '../fields.ts'
import { demandDatabase, hostOf } from '../open.ts'
import { USER_FLAGS } from '../user-flags.ts'
import { printUsers, refuseTakenName } from './common.ts'

export const command: Command = {
  usage: '<username> <password>',
  summary: 'Adds a user and creates the home folder',
  flags: [...USER_FLAGS, ROOT_FLAG],
  words: { least: 2, most: 2 },
  changes: true,
  async run(given) {
    const config = await hostOf(given)
    await demandDatabase(config.database)
    const context = await createContext(config)
    try {
      printUsers([await add(context, given)])
    } finally {
      await context.close()
    }
  },
}

/** Fields not given take the defaults in the settings; with `createUserDir` and without a scope, the user gets a home folder. */
async function add(context: Context, { flags, positionals }: Arguments): Promise<StoredUser> {
  const { db } = context
  const [username = '', password = ''] = positionals
  const { defaults, createUserDir, minimumPasswordLength } = await readSettings(db)
  const start = { ...defaults, scope: createUserDir ? '' : defaults.scope, username }
  const fields = readFields(checked(UserInput, applyFlags(start, flags, USER_FLAGS), ''), selectFields([]))
  checkPassword(password, minimumPasswordLength)
  await refuseTakenName(db, username)
  const account = { ...BLANK_USER, username, ...fields, passwordHash: await hashPassword(password) }
  try {
    return await provisionUser(context, account, 'admin')
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'exists') throw error
    throw new AppError(
      'exists',
      'The home folder belongs to another user, or is not a folder. Choose another with --scope.',
    )
  }
}
