import { existsSync, readFileSync } from 'node:fs'

/** Lines about skipped tests, from the file in which each recorded its reason. */
export function countedLeftOut(file) {
  const counts = new Map()
  const notes = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  for (const why of notes) counts.set(why, (counts.get(why) ?? 0) + 1)
  return Array.from(counts, ([why, count]) => `skipped in a bucket: ${count} tests, since ${why}`)
}
