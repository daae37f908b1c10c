import { createHash } from 'node:crypto'

/** A short hash that is equal for equal data, regardless of the order of keys. */
export function fingerprint(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('base64url')
    .slice(0, 22)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}

/** Fingerprints of the fields of the last import, by name. */
export type Fingerprints = Readonly<Record<string, string>>

export const fingerprintsOf = (fields: object): Fingerprints =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fingerprint(value)]))
