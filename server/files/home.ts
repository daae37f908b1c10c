import { type FilePath, ROOT } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { scopeFolder } from './scope-folder.ts'

export interface HomeOptions {
  /** Refuses a folder with content, which the new user would get. */
  fresh: boolean
  /** Creates nothing. */
  tries?: boolean
}

/**
 * Creates the folder of a scope, with its missing parents.
 * @throws AppError `exists` (`fresh`, or another kind of entry is there), not_a_folder, outside_scope
 */
export async function makeHome(
  storage: StorageDriver,
  scope: string,
  { fresh, tries = false }: HomeOptions,
): Promise<void> {
  const folder = scopeFolder(scope)
  if (folder === ROOT) return
  if (fresh && (await holdsSomething(storage, folder))) throw new AppError('exists')
  if (!tries) await storage.mkdir(folder)
}

async function holdsSomething(storage: StorageDriver, folder: FilePath): Promise<boolean> {
  const standing = await storage.stat(folder)
  if (standing?.kind !== 'folder') return standing !== undefined
  for await (const batch of storage.list(folder)) if (batch.length > 0) return true
  return false
}
