import { orderOf } from '../name-pages.ts'

/** A path below the indexed folder as bytes that PostgreSQL sorts in walk order: UTF-16, with 0 between names. */
export function placeOf(path: string): Uint8Array {
  return Buffer.from(orderOf(path), 'utf16le').swap16()
}

/** The path of a place. */
export function pathAt(place: Uint8Array): string {
  return Buffer.from(place).swap16().toString('utf16le').replaceAll('\0', '/')
}

/** The range of places below a path; an end of `null` is open. */
export function placesBelow(path: string): { from: Uint8Array; to: Uint8Array | null } {
  if (path === '') return { from: new Uint8Array(), to: null }
  return { from: placeOf(`${path}/`), to: placeOf(`${path}\u0001`) }
}

/** The places of the ancestors of a path, the outermost first; the top's is empty. */
export function placesAround(path: string): Uint8Array[] {
  const names = path.split('/')
  return names.map((_, count) => placeOf(names.slice(0, count).join('/')))
}
