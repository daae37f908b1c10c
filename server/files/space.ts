import { type FilePath, parentOf, ROOT } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { StorageDriver } from '../storage/driver.ts'

/** A body that cannot fit is refused before its first byte is read. @throws no_space */
export async function demandSpace(store: StorageDriver, path: FilePath, length: number | undefined): Promise<void> {
  if (length === undefined || !store.usage) return
  const { total, used } = await store.usage(await nearestFolder(store, parentOf(path)))
  if (length > total - used) throw new AppError('no_space')
}

async function nearestFolder(store: StorageDriver, path: FilePath): Promise<FilePath> {
  let folder = path
  while (folder !== ROOT && (await store.stat(folder))?.kind !== 'folder') folder = parentOf(folder)
  return folder
}
