/** Concurrent calls when an operation covers several items. */
const AT_ONCE = 4

export interface Failure<T> {
  item: T
  error: unknown
  /** What would have to be copied, if the server said it. */
  bytes?: number
}

/**
 * Runs an operation on several items, a few concurrently; a failure does not stop the others.
 * @returns the items that failed
 */
export async function tryEach<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<Failure<T>[]> {
  const failures: Failure<T>[] = []
  const waiting = items.values()
  const work = async () => {
    for (const item of waiting) {
      await act(item).catch((error: unknown) => failures.push({ item, error }))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return failures
}
