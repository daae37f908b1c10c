import { type Fingerprints, fingerprint } from '../fingerprint.ts'

export interface Merged<T> {
  /** The merged value. */
  result: T
  /** Fields whose value was imported. */
  taken: string[]
  /** Fields that differ and keep their value. */
  kept: string[]
}

/**
 * Three-way merge of fields. Fields changed here since the last import keep their value, and so do fields that differ and
 * were never imported; `overwrite` imports everything.
 * @param last fingerprints of the last import
 */
export function merge<T extends object>(here: T, there: T, last: Fingerprints, overwrite: boolean): Merged<T> {
  const names = Object.keys(there) as (keyof T & string)[]
  const differing = names.filter(name => fingerprint(here[name]) !== fingerprint(there[name]))
  const taken = differing.filter(name => overwrite || fingerprint(here[name]) === last[name])
  const result = { ...here }
  for (const name of taken) result[name] = there[name]
  return { result, taken, kept: differing.filter(name => !taken.includes(name)) }
}
