import { type Fingerprints, fingerprint } from '../fingerprint.ts'

export interface Merged<T> {
  /** What is to stand here from now on. */
  result: T
  /** Fields whose value comes from there. */
  taken: string[]
  /** Fields that differ and stay as they are here. */
  kept: string[]
}

/**
 * Brings fields from there into what is here. What was changed here since it came the last time stays, and so does what
 * differs and never came; `overwrite` takes everything.
 * @param last what came the last time
 */
export function merge<T extends object>(here: T, there: T, last: Fingerprints, overwrite: boolean): Merged<T> {
  const names = Object.keys(there) as (keyof T & string)[]
  const differing = names.filter(name => fingerprint(here[name]) !== fingerprint(there[name]))
  const taken = differing.filter(name => overwrite || fingerprint(here[name]) === last[name])
  const result = { ...here }
  for (const name of taken) result[name] = there[name]
  return { result, taken, kept: differing.filter(name => !taken.includes(name)) }
}
