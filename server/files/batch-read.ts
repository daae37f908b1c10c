import { ROOT } from '../../shared/path.ts'
import type { BatchReader, StorageDriver } from '../storage/driver.ts'
import type { Policy } from './policy.ts'

/**
 * Opens a batch reader of small files of a user, limited to what that user may read; `undefined` where the store has
 * none.
 */
export function batchReaderFor(store: StorageDriver, policy: Policy): BatchReader | undefined {
  const reader = policy.may('read', ROOT) ? store.disk?.batchReader() : undefined
  if (!reader) return undefined
  return {
    get isReady() {
      return reader.isReady
    },
    async read(requests) {
      const seen = requests.filter(({ file }) => policy.sees(file))
      if (seen.length === requests.length) return reader.read(requests)
      const { files, release } = await reader.read(seen)
      const found = new Map(seen.map((request, index) => [request, files[index]]))
      return { files: requests.map(request => found.get(request)), release }
    },
    close: () => reader.close(),
  }
}
