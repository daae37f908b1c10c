import * as z from 'zod/mini'
import { UserInput } from '../../../shared/api/users.ts'
import { AppError } from '../../errors.ts'
import { completeFields } from '../../features/users/fields.ts'
import { isBcrypt, unknownPassword } from '../../features/users/password.ts'
import type { NewUser } from '../../features/users/users.store.ts'
import { describeIssue } from '../../http/validation.ts'
import { normalizeFolder, normalizeRules, normalizeView, type Reporter, reporterFor } from './normalize.ts'
import type { Note } from './report.ts'
import { isFields } from './source.ts'

/** A user of File Browser, converted. */
export interface ImportedUser {
  /** The id in File Browser. */
  id: number
  user: NewUser
}

/** The users that can be imported, by id; reports invalid ones. */
export function convertUsers(raw: readonly unknown[], notes: Note[]): ImportedUser[] {
  const incomers: ImportedUser[] = []
  for (const [index, record] of raw.entries()) {
    const name = isFields(record) && typeof record.username === 'string' ? record.username : `number ${index + 1}`
    const report = reporterFor(notes, `user ${name}`)
    try {
      const incomer = convert(record, report)
      if (incomers.some(({ id, user }) => id === incomer.id || user.username === name))
        refuse('the id or name is not unique')
      incomers.push(incomer)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      report('cannot', error.message)
    }
  }
  incomers.sort((a, b) => a.id - b.id)
  reportUsers(incomers, notes)
  return incomers
}

function convert(record: unknown, report: Reporter): ImportedUser {
  if (!isFields(record)) refuse('the record is invalid')
  const rules = normalizeRules(record.rules, report)
  const scope = normalizeFolder(record.scope, report)
  const { id, username } = record
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) refuse('the id is invalid')
  if (typeof username !== 'string' || username === '') refuse('there is no name')
  const read = z.safeParse(UserInput, { ...normalizeView(record, report), rules, scope, password: '' })
  if (!read.success) refuse(describeIssue(read.error.issues[0], ''))
  const user = { ...completeFields(read.data), rules, scope, passwordHash: hashOf(record.password, report) }
  reportRights(user, report)
  return { id, user }
}

function refuse(reason: string): never {
  throw new AppError('bad_request', reason)
}

/** The hash, or that of an unknown password if it cannot be verified. */
function hashOf(password: unknown, report: Reporter): string {
  if (typeof password === 'string' && isBcrypt(password)) return password
  report(
    'todo',
    'has no password hash that can be verified; set a password with: filigree users update <name> --password <password>',
  )
  return unknownPassword()
}

function reportRights({ perm, commands, hideDotfiles }: NewUser, report: Reporter): void {
  if (perm.share && !perm.download) report('changes', 'may share but not download; sharing here needs both permissions')
  if (hideDotfiles) report('changes', 'hides names that begin with a dot; here also the contents of hidden folders')
  const odd = commands.filter(command => /[\s^$*+?()[\]{}|\\]/.test(command))
  if (odd.length > 0) report('changes', `may run ${odd.join(', ')}; here a command must be the plain name of a program`)
}

function reportUsers(incomers: readonly ImportedUser[], notes: Note[]): void {
  const byFolded = Map.groupBy(incomers, ({ user }) => user.username.toLowerCase())
  for (const [name, alike] of byFolded) {
    const names = alike.map(({ user }) => user.username).join(' and ')
    if (alike.length > 1) reporterFor(notes, `user ${name}`)('changes', `${names} are different users, here as there`)
  }
  const hasAdmin = incomers.some(({ user }) => user.perm.admin)
  if (incomers.length > 0 && !hasAdmin) {
    reporterFor(notes, 'users')(
      'todo',
      'there is no administrator; create one: filigree users update <name> --perm.admin',
    )
  }
}
