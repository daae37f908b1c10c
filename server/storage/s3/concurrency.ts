/** Lets those who want the same thing have it one after the other. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<T>(key: string, act: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const turn = before.then(act, act)
    this.#last.set(key, turn)
    try {
      return await turn
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key)
    }
  }
}

/**
 * Does something with each thing, a few at a time. Nothing is under way any more when it ends, also by the first failure.
 * @returns the results in order
 */
export async function eachOf<T, R>(things: readonly T[], atOnce: number, act: (thing: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const waiting = things.entries()
  let failure: { thrown: unknown } | undefined
  const work = async () => {
    for (const [index, thing] of waiting) {
      if (failure) return
      try {
        results[index] = await act(thing)
      } catch (thrown) {
        failure ??= { thrown }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, work))
  if (failure) throw failure.thrown
  return results
}
