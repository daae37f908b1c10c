/**
 * Index of a text in every catalogue. Catalogues are lists without keys; the build computes displacements that give
 * each key a unique index ("hash and displace"), so that no keys are transferred.
 * @param displacements from `web/tools/places.ts`
 * @param count number of texts
 */
export function indexOfKey(key: string, displacements: readonly number[], count: number): number {
  return hash(key, displacements[hash(key, 0) % displacements.length] ?? 0) % count
}

/** FNV-1a over UTF-16 units, seeded with `seed`; 32 bits, mixed at the end since the modulo uses the low ones. */
export function hash(key: string, seed: number): number {
  let value = Math.imul(seed + 1, 0x9e3779b1)
  for (let at = 0; at < key.length; at += 1) value = Math.imul(value ^ key.charCodeAt(at), 0x01000193)
  return (value ^ (value >>> 15)) >>> 0
}
