/** Calls at the same time when several things are worked on. */
const AT_ONCE = 4

export interface Failure<T> {
  item: T
  error: unknown
}

export interface EachOptions {
  /** Told after each item, how many have been tried so far. */
  onProgress?: ((tried: number) => void) | undefined
  /** Aborted: nothing further is begun; what is under way is waited for. */
  signal?: AbortSignal | undefined
}

/**
 * Works on several things, a few at a time; one that fails does not stop the others.
 * @returns those that could not be done; what was not begun is no failure
 */
export async function tryEach<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  { onProgress, signal }: EachOptions = {},
): Promise<Failure<T>[]> {
  const failures: Failure<T>[] = []
  const waiting = items.values()
  let tried = 0
  const work = async () => {
    for (const item of waiting) {
      if (signal?.aborted) return
      await act(item).catch((error: unknown) => failures.push({ item, error }))
      tried += 1
      onProgress?.(tried)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return failures
}
