/**
 * Where a text stands in every catalogue. Catalogues are lists without keys; the build finds displacements with which
 * each key has a place of its own ("hash and displace"), so that no list of keys has to be sent.
 * @param displacements as `web/tools/places.ts` makes them
 * @param count how many texts there are
 */
export function placeOf(key: string, displacements: readonly number[], count: number): number {
  return hash(key, displacements[hash(key, 0) % displacements.length] ?? 0) % count
}

/** FNV-1a over UTF-16 units, begun with `seed`; 32 bits, mixed at the end since the remainder looks at the low ones. */
export function hash(key: string, seed: number): number {
  let value = Math.imul(seed + 1, 0x9e3779b1)
  for (let at = 0; at < key.length; at += 1) value = Math.imul(value ^ key.charCodeAt(at), 0x01000193)
  return (value ^ (value >>> 15)) >>> 0
}
