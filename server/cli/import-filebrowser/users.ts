import * as z from 'zod/mini'
import { UserInput } from '../../../shared/api/users.ts'
import { AppError } from '../../errors.ts'
import { completeFields } from '../../features/users/fields.ts'
import { isBcrypt, unknownPassword } from '../../features/users/password.ts'
import type { NewUser } from '../../features/users/users.store.ts'
import { describeIssue } from '../../http/validation.ts'
import { type Tell, teller, tidyFolder, tidyLook, tidyRules } from './normalize.ts'
import type { Note } from './report.ts'
import { isFields } from './source.ts'

/** A user of the other installation, as one of this. */
export interface Incomer {
  /** Over there. */
  id: number
  user: NewUser
}

/** The users that can come, by id; what is odd about one is told. */
export function convertUsers(raw: readonly unknown[], notes: Note[]): Incomer[] {
  const incomers: Incomer[] = []
  for (const [index, record] of raw.entries()) {
    const name = isFields(record) && typeof record.username === 'string' ? record.username : `number ${index + 1}`
    const tell = teller(notes, `user ${name}`)
    try {
      const incomer = convert(record, tell)
      if (incomers.some(({ id, user }) => id === incomer.id || user.username === name))
        refuse('the id or name comes twice')
      incomers.push(incomer)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      tell('cannot', error.message)
    }
  }
  incomers.sort((a, b) => a.id - b.id)
  tellOfAll(incomers, notes)
  return incomers
}

function convert(record: unknown, tell: Tell): Incomer {
  if (!isFields(record)) refuse('the record makes no sense')
  const rules = tidyRules(record.rules, tell)
  const scope = tidyFolder(record.scope, tell)
  const { id, username } = record
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) refuse('the id makes no sense')
  if (typeof username !== 'string' || username === '') refuse('there is no name')
  const read = z.safeParse(UserInput, { ...tidyLook(record, tell), rules, scope, password: '' })
  if (!read.success) refuse(describeIssue(read.error.issues[0], ''))
  const user = { ...completeFields(read.data), rules, scope, passwordHash: hashOf(record.password, tell) }
  tellOfRights(user, tell)
  return { id, user }
}

function refuse(reason: string): never {
  throw new AppError('bad_request', reason)
}

/** The hash as it is; in the place of one that cannot be checked comes that of a password nobody has. */
function hashOf(password: unknown, tell: Tell): string {
  if (typeof password === 'string' && isBcrypt(password)) return password
  tell('todo', 'has no password that can be checked; set one with: filigree users update <name> --password <password>')
  return unknownPassword()
}

function tellOfRights({ perm, commands, hideDotfiles }: NewUser, tell: Tell): void {
  if (perm.share && !perm.download) tell('changes', 'may share but not download; here sharing needs both')
  if (hideDotfiles) tell('changes', 'hides names that begin with a dot; here also what lies in hidden folders')
  const odd = commands.filter(command => /[\s^$*+?()[\]{}|\\]/.test(command))
  if (odd.length > 0) tell('changes', `may run ${odd.join(', ')}; here a command is the plain name of one program`)
}

function tellOfAll(incomers: readonly Incomer[], notes: Note[]): void {
  const byFolded = Map.groupBy(incomers, ({ user }) => user.username.toLowerCase())
  for (const [name, alike] of byFolded) {
    const names = alike.map(({ user }) => user.username).join(' and ')
    if (alike.length > 1) teller(notes, `user ${name}`)('changes', `${names} are different people, here as there`)
  }
  const hasAdmin = incomers.some(({ user }) => user.perm.admin)
  if (incomers.length > 0 && !hasAdmin) {
    teller(notes, 'users')('todo', 'nobody is an administrator; make one: filigree users update <name> --perm.admin')
  }
}
