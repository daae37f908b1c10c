import type { ReaderTogether, StorageDriver } from '../storage/driver.ts'
import type { Policy } from './policy.ts'

/** Begins to read many small files of a user; what that user may not read is left out. Nothing where the store cannot. */
export function togetherFor(store: StorageDriver, policy: Policy): ReaderTogether | undefined {
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
