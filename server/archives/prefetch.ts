/** As many as are begun ahead unless told. */
const AT_ONCE = 8

/**
 * What `act` makes of each, in their order, some of them begun ahead: opening a file is mostly waiting.
 * @param leave gets what was begun and nobody took
 * @param atOnce how many are begun before the first of them is taken
 * @throws what `act` throws, when it is that one's turn
 */
export async function* ahead<T, R>(
  source: AsyncIterable<T>,
  act: (item: T) => Promise<R>,
  leave: (result: R) => Promise<void> = async () => {},
  atOnce = AT_ONCE,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = []
  const items = source[Symbol.asyncIterator]()
  let ended = false
  try {
    for (;;) {
      while (!ended && begun.length < atOnce) {
        const { done, value } = await items.next()
        if (done) ended = true
        else begun.push(quietly(act(value)))
      }
      const next = begun.shift()
      if (!next) return
      yield await next
    }
  } finally {
    for (const result of begun) await result.then(leave, () => {})
    if (!ended) await items.return?.(undefined)
  }
}

/** One that fails before its turn waits for that. */
function quietly<R>(result: Promise<R>): Promise<R> {
  result.catch(() => {})
  return result
}
