/** Bytes of the units of sizes, as lists show them: the ones of 1024, and those of 1000. */
const BYTES = {
  TiB: 1024 ** 4,
  GiB: 1024 ** 3,
  MiB: 1024 ** 2,
  KiB: 1024,
  TB: 1000 ** 4,
  GB: 1000 ** 3,
  MB: 1000 ** 2,
  KB: 1000,
}
type Unit = keyof typeof BYTES

/** In the order of a list. */
export const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'KB', 'MB', 'GB', 'TB'] as const satisfies readonly Unit[]

/** Digits and point of a size that is easily read. */
const SHORT = 6

export type LimitKind = 'none' | 'limited' | 'unlimited'

/** A quota of bytes as the form holds it. */
export interface QuotaDraft {
  kind: LimitKind
  /** A number as typed, with a point or a comma. */
  size: string
  unit: Unit
}

const NO_LIMIT = -1

/** @param own bytes, -1 for no limit, null for none */
export function quotaDraftOf(own: number | null): QuotaDraft {
  if (own === null) return { kind: 'none', size: '', unit: 'GiB' }
  if (own === NO_LIMIT) return { kind: 'unlimited', size: '', unit: 'GiB' }
  const sizeIn = (unit: Unit) => String(own / BYTES[unit])
  const isShort = (unit: Unit) => own >= BYTES[unit] && sizeIn(unit).length <= SHORT
  const unit = (Object.keys(BYTES) as Unit[]).find(isShort) ?? 'KiB'
  return { kind: 'limited', size: sizeIn(unit), unit }
}

/** The bytes of a draft; `undefined` where its size is no number. */
export function bytesOf({ kind, size, unit }: QuotaDraft): number | null | undefined {
  if (kind === 'none') return null
  if (kind === 'unlimited') return NO_LIMIT
  const number = size.trim().replace(',', '.')
  const bytes = Math.round(Number(number) * BYTES[unit])
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
