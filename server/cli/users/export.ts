import { toWire } from '../../features/users/accounts.ts'
import { listUsers } from '../../features/users/users.store.ts'
import type { Command } from '../command.ts'
import { writeDataFile } from '../data-file.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'

export const command: Command = {
  usage: '<file>',
  summary: 'Writes all users, with their password hashes, to a .json or .yaml file',
  words: { least: 1, most: 1 },
  run: given =>
    withDb(given, async db => {
      const users = await listUsers(db)
      const homeless = users.flatMap(({ username, hasHome }) => (hasHome ? [] : printable(username)))
      if (homeless.length > 0) console.error(`have no home, which the file does not say: ${homeless.join(', ')}`)
      const content = users.map(user => ({ ...toWire(user), password: user.passwordHash }))
      writeDataFile(given.positionals[0] ?? '', content)
    }),
}
