import type { AuditAction } from '../../../shared/api/audit.ts'
import { type FilePath, isWithin, parsePath, ROOT } from '../../../shared/path.ts'
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
import { printable } from '../print.ts'
import { inWholeFolder, type OpenTrash, withTrash, withWholeRoot } from '../served-folder.ts'

export const USER_FLAG: DescribedFlag = {
  flag: 'user',
  short: 'u',
  doc: 'Only what the user with this name or id deleted.',
}
export const BEFORE_FLAG: DescribedFlag = {
  flag: 'before',
  doc: 'Only what was deleted before this time, such as 2026-11-01 or 2026-11-01T12:00:00Z.',
}

export const OF_FLAG: DescribedFlag = {
  flag: 'of',
  doc: 'The trash of this further root; its paths begin with its name, as in /media/plan.txt.',
}

/** The trash of the whole served folder or of a further root, and the database. */
export interface ConsoleTrash {
  trash: Trash
  /** The folder that the trash is of: that of the further root, or all. */
  top: FilePath
  files: Files
  recovery: RecoveryDeps
  db: Db
  /** Records what happened to an item in the audit log, by its places in the roots. */
  note(action: AuditAction, path: FilePath, target?: FilePath): Promise<void>
}

/**
 * Runs `act` with the trash of the whole served folder, with `--of` that of a further root. With `--user` the caller's own
 * items are that user's.
 * @throws AppError `not_found` for a user or a root that does not exist
 */
export function onTrash<T>(given: Arguments, act: (trash: ConsoleTrash) => Promise<T>): Promise<T> {
  return withDb(given, (db, config) =>
    withTrash(config, db, async open => {
      const { files, recovery } = open
      const account = accountName()
      const { id, username } = (await userOf(db, given.flags.get('user'))) ?? { id: 0, username: account }
      const { actor, top } = await actorOn(open, given.flags.get('of'), { id, username })
      const own = await files.for(actor)
      const placeOf = (path: FilePath) => (top === ROOT ? path : files.placeOf(actor, path))
      const note = async (action: AuditAction, path: FilePath, target?: FilePath) =>
        recordAlone(db, {
          action,
          outcome: 'done',
          way: 'console',
          address: '',
          who: { id: 0, username: account },
          path: await placeOf(path),
          target: target && (await placeOf(target)),
        })
      return act({ trash: own.trash, top, files: own, recovery, db, note })
    }),
  )
}

/** Who acts, and the folder that they act on. */
async function actorOn({ files, roots }: OpenTrash, root: string | undefined, who: { id: number; username: string }) {
  if (root === undefined) return { actor: inWholeFolder(who.id, who.username), top: ROOT }
  const actor = withWholeRoot(root, who.id, who.username)
  const [mount] = roots?.find(root) ? await files.mountsOf(actor) : []
  if (!mount) throw new AppError('not_found', `The configuration names no root '${printable(root)}'.`)
  return { actor, top: mount.path }
}

/** A number names the id of a user who may be deleted. */
async function userOf(db: Db, word: string | undefined): Promise<{ id: number; username: string } | undefined> {
  if (word === undefined) return undefined
  if (/^\d{1,15}$/.test(word)) return { id: Number(word), username: word }
  const user = await findUserByName(db, word)
  if (!user) throw new AppError('not_found', `There is no user '${word}'. Give the id of a deleted one.`)
  return user
}

/** What the flags `user`, `under` and `before` select of the trash of a folder. @throws AppError `bad_request` */
export function requestOf({ flags }: Arguments, top: FilePath): TrashRequest {
  const before = flags.get('before')
  const time = before === undefined ? undefined : Date.parse(before)
  if (Number.isNaN(time)) throw new AppError('bad_request', `--before: '${before}' is not a time.`)
  const under = flags.get('under')
  const folder = under === undefined ? top : parsePath(under)
  if (!isWithin(folder, top)) throw new AppError('bad_request', `--under: paths of this root begin with '${top}'.`)
  return {
    folder,
    mine: flags.has('user'),
    name: '',
    ...(time !== undefined && { deletedBefore: time }),
  }
}
