import { type FilePath, parentOf, ROOT } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { StorageDriver, Usage } from '../storage/driver.ts'

/** Refuses a body that cannot fit before its first byte is read. @throws no_space */
export async function demandSpace(store: StorageDriver, path: FilePath, length: number | undefined): Promise<void> {
  if (length === undefined || !store.usage) return
  const { total, used } = await usageAbove(store.usage, parentOf(path))
  if (length > total - used) throw new AppError('no_space')
}

/** Of the nearest existing folder. */
async function usageAbove(usage: NonNullable<StorageDriver['usage']>, path: FilePath): Promise<Usage> {
  for (let folder = path; ; folder = parentOf(folder)) {
    try {
      return await usage(folder)
    } catch (thrown) {
      if (folder === ROOT || !isMissing(thrown)) throw thrown
    }
  }
}

const isMissing = (thrown: unknown) =>
  thrown instanceof AppError && (thrown.code === 'not_found' || thrown.code === 'not_a_folder')
