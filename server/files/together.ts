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
      const read = await reader.read(orders.filter(({ file }) => policy.sees(file)))
      const left = read.values()
      return orders.map(({ file }) => (policy.sees(file) ? left.next().value : undefined))
    },
    close: () => reader.close(),
  }
}
