import type { ChosenItem } from './walk.ts'

/** Milliseconds of work after which the page gets its turn. */
const SLICE = 12

/**
 * Has the browser look at all files, which it does when their size is asked for the first time. Each look takes about a
 * millisecond in which the page stands still; ten thousand at once would be ten seconds.
 */
export async function measure(items: readonly ChosenItem[]): Promise<void> {
  let until = performance.now() + SLICE
  for (const { file } of items) {
    if (file?.size === undefined || performance.now() < until) continue
    await new Promise(resolve => setTimeout(resolve))
    until = performance.now() + SLICE
  }
}
