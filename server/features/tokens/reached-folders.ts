import type { FilePath } from '../../../shared/path.ts'
import type { Db } from '../../db/schema.ts'
import { asAppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { ActingUser } from '../groups/acting-user.ts'
import { bindFolder, type TokenFolder } from './token-folders.store.ts'

export interface ReachDeps {
  db: Db
  files: Pick<FilesService, 'for'>
}

/** What a storage that does not answer throws: nothing is known about the folder then. */
const UNKNOWN: ReadonlySet<string> = new Set(['internal', 'unavailable'])

/**
 * Of the folders that tokens of a user are confined to, those at whose paths the same objects are now. An object that took
 * the name of another one is not reached; a folder that a bucket has by its name alone is.
 * @throws AppError `unavailable` when the storage does not answer
 */
export async function reachedFolders(
  { db, files }: ReachDeps,
  user: ActingUser,
  folders: readonly TokenFolder[],
): Promise<TokenFolder[]> {
  if (folders.length === 0) return []
  const own = await files.for(user).catch(unlessUnknown)
  const reached: TokenFolder[] = []
  for (const folder of folders) if (own && (await isReached(db, own, folder))) reached.push(folder)
  return reached
}

async function isReached(db: Db, own: Files, folder: TokenFolder): Promise<boolean> {
  const there = await own.standing(folder.path).catch(unlessUnknown)
  if (there?.kind !== 'folder') return false
  if (folder.identity !== '') return there.identity === folder.identity
  if (there.isNameOnly) return true
  const { place: canonical, identity } = there
  return (await bindFolder(db, folder, { canonical, identity })) === identity
}

function unlessUnknown(thrown: unknown): undefined {
  if (UNKNOWN.has(asAppError(thrown).code)) throw thrown
}

/** The paths of folders, for a ceiling. */
export const pathsOf = (folders: readonly TokenFolder[]): FilePath[] => folders.map(({ path }) => path)
