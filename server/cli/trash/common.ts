import type { AuditAction } from '../../../shared/api/audit.ts'
import { type FilePath, parsePath, ROOT } from '../../../shared/path.ts'
import { recordAlone } from '../../audit/audit.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { findUserByName } from '../../features/users/users.store.ts'
import type { Files } from '../../files/files.ts'
import type { Trash } from '../../files/trash.ts'
import type { TrashRequest } from '../../files/trash-records.ts'
import type { RecoveryDeps } from '../../history/recovery.ts'
import { accountName } from '../account.ts'
import type { Arguments, DescribedFlag } from '../command.ts'
import { withDb } from '../open.ts'
import { inWholeFolder, withTrash } from '../served-folder.ts'

export const USER_FLAG: DescribedFlag = {
  flag: 'user',
  short: 'u',
  doc: 'Only what the user with this name or id deleted.',
}
export const BEFORE_FLAG: DescribedFlag = {
  flag: 'before',
  doc: 'Only what was deleted before this time, such as 2026-11-01 or 2026-11-01T12:00:00Z.',
}

/** The trash of the whole served folder, and the database. */
export interface ConsoleTrash {
  trash: Trash
  files: Files
  recovery: RecoveryDeps
  db: Db
  /** Records what happened to an item in the audit log; paths are in the served root. */
  note(action: AuditAction, path: FilePath, target?: FilePath): Promise<void>
}

/**
 * Runs `act` with the trash of the whole served folder. With `--user` the caller's own items are that user's.
 * @throws AppError `not_found` for a user who does not exist
 */
export function onTrash<T>(given: Arguments, act: (trash: ConsoleTrash) => Promise<T>): Promise<T> {
  return withDb(given, (db, config) =>
    withTrash(config, db, async ({ files, recovery }) => {
      const account = accountName()
      const { id, username } = (await userOf(db, given.flags.get('user'))) ?? { id: 0, username: account }
      const own = await files.for(inWholeFolder(id, username))
      const note = (action: AuditAction, path: FilePath, target?: FilePath) =>
        recordAlone(db, {
          action,
          outcome: 'done',
          way: 'console',
          address: '',
          who: { id: 0, username: account },
          path,
          target,
        })
      return act({ trash: own.trash, files: own, recovery, db, note })
    }),
  )
}

/** A number names the id of a user who may be deleted. */
async function userOf(db: Db, word: string | undefined): Promise<{ id: number; username: string } | undefined> {
  if (word === undefined) return undefined
  if (/^\d{1,15}$/.test(word)) return { id: Number(word), username: word }
  const user = await findUserByName(db, word)
  if (!user) throw new AppError('not_found', `There is no user '${word}'. Give the id of a deleted one.`)
  return user
}

/** What the flags `user`, `under` and `before` select. @throws AppError `bad_request` */
export function requestOf({ flags }: Arguments): TrashRequest {
  const before = flags.get('before')
  const time = before === undefined ? undefined : Date.parse(before)
  if (Number.isNaN(time)) throw new AppError('bad_request', `--before: '${before}' is not a time.`)
  const folder = flags.get('under')
  return {
    folder: folder === undefined ? ROOT : parsePath(folder),
    mine: flags.has('user'),
    name: '',
    ...(time !== undefined && { deletedBefore: time }),
  }
}
