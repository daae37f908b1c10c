import { existsSync } from 'node:fs'
import * as z from 'zod/mini'
import { UserInput } from '../../../shared/api/users.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { deleteSessionsOf } from '../../features/auth/sessions.store.ts'
import { checkRules, cleanFolder } from '../../features/settings/checks.ts'
import { toWire } from '../../features/users/accounts.ts'
import { completeFields } from '../../features/users/fields.ts'
import { isPasswordHash } from '../../features/users/password.ts'
import {
  addUser,
  BLANK_USER,
  deleteUser,
  findUser,
  findUserByName,
  listUsers,
  type NewUser,
  replaceUser,
  type StoredUser,
} from '../../features/users/users.store.ts'
import { checked } from '../check.ts'
import type { Command } from '../command.ts'
import { readDataFile, writeDataFile } from '../data-file.ts'
import { inTransaction, withDb } from '../open.ts'
import { printable } from '../print.ts'
import { refuseTakenName } from './common.ts'

interface ImportOptions {
  overwrite: boolean
  replace: boolean
}

interface Imported {
  /** 0 for none. */
  id: number
  user: NewUser
}

export const command: Command = {
  usage: '<file>',
  summary: 'Imports users from a .json or .yaml file, in one transaction',
  flags: [
    { flag: 'overwrite', boolean: true, doc: 'Replace users whose ids are in the file.' },
    {
      flag: 'replace',
      boolean: true,
      doc: 'Remove users who are not in the file; writes a backup, users.backup.json.',
    },
  ],
  words: { least: 1, most: 1 },
  changes: true,
  run: given =>
    withDb(given, async db => {
      const options = {
        overwrite: given.flags.get('overwrite') === 'true',
        replace: given.flags.get('replace') === 'true',
      }
      const list = readUsers(given.positionals[0] ?? '')
      await inTransaction(db, transaction => importUsers(transaction, list, options))
      console.log(`${list.length} users imported`)
    }),
}

/** All names of an export of users, to restore the case of lower-case files. */
export const USER_NAMES = [
  { ...toWire({ ...BLANK_USER, id: 0, username: '', password: '' }), rules: [{ regexp: { raw: '' } }] },
]

/** @throws AppError `bad_request` naming the field */
function readUsers(path: string): Imported[] {
  const inputs = checked(z.array(UserInput), readDataFile(path, USER_NAMES), 'users')
  return inputs.map((input, index) => {
    const { username, scope, rules, ...fields } = completeFields(input)
    if (username === '') throw new AppError('bad_request', `users/${index}/username is empty`)
    if (!isPasswordHash(input.password ?? '')) {
      throw new AppError('bad_request', `users/${index}/password is not a password hash`)
    }
    checkRules(rules, `users[${index}].rules`)
    const folder = cleanFolder(scope, `users[${index}].scope`)
    return {
      id: input.id ?? 0,
      user: { ...fields, username, scope: folder, rules, passwordHash: input.password ?? '' },
    }
  })
}

async function importUsers(db: Db, list: readonly Imported[], { overwrite, replace }: ImportOptions): Promise<void> {
  const before = await listUsers(db)
  if (replace) await removeOthers(db, before, list)
  for (const { id, user } of list) {
    const standing = id > 0 ? await findUser(db, id) : undefined
    if (!standing) await insert(db, user)
    else if (overwrite || replace) await overwriteUser(db, standing, user)
    else throw new AppError('exists', `A user with the id ${id} already exists. Try --overwrite or --replace.`)
  }
  const hasAdmin = (await listUsers(db)).some(({ perm }) => perm.admin)
  if (before.some(({ perm }) => perm.admin) && !hasAdmin) {
    throw new AppError('forbidden', 'This would leave no administrator. Nothing was changed.')
  }
}

/** Keeps users with the same id and name; removes all others. */
async function removeOthers(db: Db, before: readonly StoredUser[], list: readonly Imported[]): Promise<void> {
  keepBackup(before)
  for (const { id, username } of before) {
    if (list.some(imported => imported.id === id && imported.user.username === username)) continue
    await deleteUser(db, id)
    await deleteSessionsOf(db, id)
  }
}

function keepBackup(users: readonly StoredUser[]): void {
  const name = (number: number) => `users.backup${number === 1 ? '' : `-${number}`}.json`
  let number = 1
  while (existsSync(name(number))) number += 1
  const content = users.map(user => ({ ...toWire(user), password: user.passwordHash }))
  writeDataFile(name(number), content)
  console.log(`the previous users are in ${name(number)}`)
}

async function insert(db: Db, user: NewUser): Promise<void> {
  await refuseTakenName(db, user.username)
  await addUser(db, user)
}

async function overwriteUser(db: Db, standing: StoredUser, user: NewUser): Promise<void> {
  const named = await findUserByName(db, user.username)
  if (named && named.id !== standing.id) {
    throw new AppError('exists', `The name '${printable(user.username)}' belongs to the user with the id ${named.id}.`)
  }
  await replaceUser(db, standing.id, user)
  if (user.passwordHash !== standing.passwordHash) await deleteSessionsOf(db, standing.id)
}
