/** Calls at the same time when several things are worked on. */
const AT_ONCE = 4

export interface Failure<T> {
  item: T
  error: unknown
}

/**
 * Works on several things, a few at a time; one that fails does not stop the others.
 * @returns those that could not be done
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
