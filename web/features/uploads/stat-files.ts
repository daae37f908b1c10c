import type { ChosenItem } from './walk.ts'

/** Milliseconds of work after which the page can update. */
const SLICE = 12

/**
 * Reads the size of all files, for which the browser calls stat the first time. Each takes about a millisecond and
 * blocks the page; ten thousand at once would take ten seconds.
 */
export async function statFiles(items: readonly ChosenItem[]): Promise<void> {
  let until = performance.now() + SLICE
  for (const { file } of items) {
    if (file?.size === undefined || performance.now() < until) continue
    await new Promise(resolve => setTimeout(resolve))
    until = performance.now() + SLICE
  }
}
