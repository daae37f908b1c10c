import type { FilePath } from '../../shared/path.ts'
import type { StorageDriver } from '../storage/driver.ts'
import type { Base } from './base.ts'
import type { Policy } from './policy.ts'
import type { TrashRecords } from './trash-records.ts'

interface Context {
  store: Pick<StorageDriver, 'stat'>
  policy: Policy
  base: Base
  records: Pick<TrashRecords, 'placeNow'>
}

/**
 * The path to which a deleted item comes back: that which it had, in its folder of then. It has the old path itself where
 * the folder is no longer where it was moved to, and where the user may not see it there.
 */
export async function goalOf(
  { store, policy, base, records }: Context,
  { id, path: had }: { id: string; path: FilePath },
): Promise<FilePath> {
  const now = await records.placeNow(id)
  const [path, folder] = [now && base.pathOf(now.place), now && base.pathOf(now.folder)]
  if (path === undefined || folder === undefined) return had
  if (!policy.may('list', path) || !policy.sees(path)) return had
  const there = await store.stat(folder).catch(() => undefined)
  return there?.kind === 'folder' && there.identity === now?.identity ? path : had
}
