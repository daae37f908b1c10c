import { NO_LIMIT } from '../../../shared/api/quotas.ts'
import { AppError } from '../../errors.ts'

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  ...powers(['KB', 'MB', 'GB', 'TB', 'PB'], 1000),
  ...powers(['KIB', 'MIB', 'GIB', 'TIB', 'PIB'], 1024),
}

function powers(units: readonly string[], base: number): Record<string, number> {
  return Object.fromEntries(units.map((unit, index) => [unit, base ** (index + 1)]))
}

/**
 * A quota as the console writes it: `10GB`, `1.5 TiB`, `0`, `unlimited`, or `none` to take it away.
 * @throws AppError `bad_request`
 */
export function parseQuota(text: string): number | null {
  if (text === 'none') return null
  if (text === 'unlimited') return NO_LIMIT
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const bytes = Math.round(Number(number) * (UNITS[unit.toUpperCase()] ?? Number.NaN))
  if (number === '' || !Number.isSafeInteger(bytes))
    throw new AppError('bad_request', 'A quota is a size such as 10GB or 1.5TiB, or one of: unlimited, none.')
  return bytes
}

/**
 * A number of files and folders as the console writes it: `100000`, `0`, `unlimited`, or `none` to take the limit away.
 * @throws AppError `bad_request`
 */
export function parseItems(text: string): number | null {
  if (text === 'none') return null
  if (text === 'unlimited') return NO_LIMIT
  const items = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(items))
    throw new AppError('bad_request', '--items is a number such as 100000, or one of: unlimited, none.')
  return items
}

/** Bytes in the largest binary unit that keeps them whole, or with one decimal. */
export function shownBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1)
  const value = bytes / 1024 ** power
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${units[power]}`
}
