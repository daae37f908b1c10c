import { type FilePath, parsePath } from '../../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import { isInOtherRoot } from '../../../shared/places.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { baseAt } from '../../files/base.ts'
import type { FilesService } from '../../files/files-service.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import { type ActingUser, findActingUser } from '../groups/acting-user.ts'
import type { StoredShare } from './shares.store.ts'

/** A link by the path that leads to it now, and its owner as they may act there. */
export interface OwnedLink<Link extends StoredShare = StoredShare> {
  share: Link
  owner: ActingUser
}

/**
 * A link as its owner has it now. One into the own files is opened without what the owner has from others. One into a mount
 * is opened with the mounts that the owner has now, by its place: the mount may have another name, and its rights are in
 * the place of the owner's own.
 * @throws AppError `not_found`
 */
export async function withOwner<Link extends StoredShare>(
  { db, files }: { db: Db; files: FilesService },
  share: Link,
): Promise<OwnedLink<Link>> {
  const found = await findActingUser(db, share.userId)
  if (!found) throw new AppError('not_found')
  const { receiving: _, mounts, ...owner } = found
  if (!isInOtherRoot(share.canonical)) {
    if (!found.hasHome) throw new AppError('not_found')
    return { share, owner }
  }
  if (!mounts) throw new AppError('not_found')
  const spot = (await files.inMounts({ ...owner, mounts, receiving: ALL_PERMISSIONS }))(share.canonical)
  if (!spot) throw new AppError('not_found')
  const { path, perm } = spot
  return { share: { ...share, path }, owner: { ...owner, mounts, perm, receiving: perm } }
}

/** The shared entry by its real path in the owner's files. @throws AppError `outside_scope` */
export function realPathOf({ canonical, path }: StoredShare, { scope }: ActingUser): FilePath {
  if (isInOtherRoot(canonical)) return parsePath(path)
  const real = baseAt(scopeFolder(scope)).pathOf(canonical)
  if (real === undefined) throw new AppError('outside_scope')
  return real
}
