import { hash, indexOfKey } from '../lib/i18n/perfect-hash.ts'

const KEYS_A_BUCKET = 3

/** Displacements for `placeOf` that give the keys the indices 0 to n - 1, one each. @param keys unique */
export function displacementsFor(keys: readonly string[]): number[] {
  const displacements = new Array<number>(Math.max(1, Math.ceil(keys.length / KEYS_A_BUCKET))).fill(0)
  const buckets = displacements.map((_, number) => ({ number, keys: [] as string[] }))
  for (const key of keys) buckets[hash(key, 0) % buckets.length]?.keys.push(key)
  const taken = new Set<number>()
  // Largest buckets first: they need the most free indices at once.
  for (const bucket of buckets.toSorted((a, b) => b.keys.length - a.keys.length)) {
    const found = displacementOf(bucket.keys, keys.length, taken)
    displacements[bucket.number] = found.displacement
    for (const place of found.places) taken.add(place)
  }
  return displacements
}

function displacementOf(keys: readonly string[], count: number, taken: ReadonlySet<number>) {
  for (let displacement = 0; ; displacement += 1) {
    const places = new Set(keys.map(key => hash(key, displacement) % count))
    if (places.size === keys.length && [...places].every(place => !taken.has(place))) return { displacement, places }
  }
}

/** The values of a catalogue in the order of their keys' indices. */
export function inPlaces<T>(values: ReadonlyMap<string, T>): T[] {
  const displacements = displacementsFor([...values.keys()])
  const list: T[] = []
  for (const [key, value] of values) list[indexOfKey(key, displacements, values.size)] = value
  return list
}
