/** Units of sizes, as lists show them. */
export const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const

/** A quota as the form holds it. */
export interface QuotaDraft {
  kind: 'none' | 'limited' | 'unlimited'
  /** A number as typed, with a point or a comma. */
  size: string
  unit: (typeof UNITS)[number]
}

const NO_LIMIT = -1

const bytesIn = (unit: QuotaDraft['unit']) => 1024 ** (UNITS.indexOf(unit) + 1)

/** @param own bytes, -1 for no limit, null for none */
export function quotaDraftOf(own: number | null): QuotaDraft {
  if (own === null) return { kind: 'none', size: '', unit: 'GiB' }
  if (own === NO_LIMIT) return { kind: 'unlimited', size: '', unit: 'GiB' }
  const unit = UNITS.findLast(one => own >= bytesIn(one)) ?? 'KiB'
  return { kind: 'limited', size: String(own / bytesIn(unit)), unit }
}

/** The bytes of a draft; `undefined` where its size is no number. */
export function bytesOf({ kind, size, unit }: QuotaDraft): number | null | undefined {
  if (kind === 'none') return null
  if (kind === 'unlimited') return NO_LIMIT
  const number = size.trim().replace(',', '.')
  const bytes = Math.round(Number(number) * bytesIn(unit))
  return /^\d+(?:\.\d+)?$/.test(number) && Number.isSafeInteger(bytes) ? bytes : undefined
}
