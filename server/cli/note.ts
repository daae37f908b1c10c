import { userInfo } from 'node:os'
import { recordAlone } from '../audit/audit.ts'
import { type Arguments, COMMON_FLAGS } from './command.ts'
import { withDb } from './open.ts'

/**
 * Tells the audit log of a command that changed something: its name, its first word, and the names of its flags. What
 * else was given may be a secret.
 */
export async function noteCommand(name: string, given: Arguments): Promise<void> {
  const common = COMMON_FLAGS.map(({ flag }) => flag)
  const flags = [...given.flags.keys()].filter(flag => !common.includes(flag)).map(flag => `--${flag}`)
  const target = [name, ...given.positionals.slice(0, 1), ...flags].join(' ')
  const who = { id: 0, username: userInfo().username }
  await withDb(given, db =>
    recordAlone(db, { action: 'console', outcome: 'done', way: 'console', address: '', who, target }),
  )
}
