/** Units of sizes, as lists show them. */
export const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const

export type LimitKind = 'none' | 'limited' | 'unlimited'

/** A quota of bytes as the form holds it. */
export interface QuotaDraft {
  kind: LimitKind
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

/** A quota of files and folders as the form holds it. */
export interface ItemsDraft {
  kind: LimitKind
  /** A whole number as typed. */
  number: string
}

/** @param own a number, -1 for no limit, null for none */
export function itemsDraftOf(own: number | null): ItemsDraft {
  if (own === null) return { kind: 'none', number: '' }
  return own === NO_LIMIT ? { kind: 'unlimited', number: '' } : { kind: 'limited', number: String(own) }
}

/** The number of a draft; `undefined` where it is none. */
export function itemsOf({ kind, number }: ItemsDraft): number | null | undefined {
  if (kind === 'none') return null
  if (kind === 'unlimited') return NO_LIMIT
  const items = Number(number.trim())
  return /^\d+$/.test(number.trim()) && Number.isSafeInteger(items) ? items : undefined
}
