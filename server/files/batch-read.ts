import type { ReaderTogether, StorageDriver } from '../storage/driver.ts'
import type { Policy } from './policy.ts'

/**
 * Opens a batch reader of small files of a user, limited to what that user may read; `undefined` where the store has
 * none.
 */
export function batchReaderFor(store: StorageDriver, policy: Policy): ReaderTogether | undefined {
  const reader = policy.may('read') ? store.readTogether?.() : undefined
  if (!reader) return undefined
  return {
    get isReady() {
      return reader.isReady
    },
    async read(orders) {
      const seen = orders.filter(({ file }) => policy.sees(file))
      if (seen.length === orders.length) return reader.read(orders)
      const { files, release } = await reader.read(seen)
      const found = new Map(seen.map((order, index) => [order, files[index]]))
      return { files: orders.map(order => found.get(order)), release }
    },
    close: () => reader.close(),
  }
}
