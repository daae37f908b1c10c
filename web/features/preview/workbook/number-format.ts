/** A number format: date, time, percentage, or a number of decimals. */
export interface NumberFormat {
  date: boolean
  time: boolean
  percent: boolean
  /** `undefined` for as many as the number has. */
  decimals: number | undefined
}

/** The maximum in workbooks (ECMA-376 part 1, 18.8.31). */
const MOST_DECIMALS = 30

const GENERAL: NumberFormat = { date: false, time: false, percent: false, decimals: undefined }

/** Built-in formats, which workbooks need not declare (ECMA-376 part 1, 18.8.30). */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '0',
  4: '0.00',
  9: '0%',
  10: '0.00%',
  14: 'y-m-d',
  15: 'y-m-d',
  16: 'm-d',
  17: 'y-m',
  18: 'h:s',
  19: 'h:s',
  20: 'h:s',
  21: 'h:s',
  22: 'y-m-d h:s',
  45: 'm:s',
  46: 'h:m:s',
  47: 'm:s',
}

/** Parses a format by its number and code. @param code `undefined` for a built-in format */
export function numberFormat(id: number, code: string | undefined = BUILT_IN[id]): NumberFormat {
  const [positive = ''] = (code ?? '').replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '').split(';')
  if (positive === '' || /general|@/i.test(positive)) return GENERAL
  const time = /[hs]/i.test(positive)
  const date = /[yd]/i.test(positive) || (!time && /m/i.test(positive))
  if (date || time) return { ...GENERAL, date, time }
  const places = /\.([0#?]+)/.exec(positive)?.[1]?.length ?? 0
  const decimals = /[0#?]/.test(positive) && !/[e/]/i.test(positive) ? Math.min(MOST_DECIMALS, places) : undefined
  return { ...GENERAL, percent: positive.includes('%'), decimals }
}

const DAY = 86_400_000
/** Day 0 of workbooks, and of those that count from 1904. */
const EPOCH = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)

/** A number as its cell shows it. @param from1904 whether days count from 1904 */
export function formatCell(value: string, format: NumberFormat, from1904: boolean): string {
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) return value
  if (format.date || format.time) return formatMoment(number, format, from1904)
  if (format.decimals !== undefined) {
    return format.percent ? `${(number * 100).toFixed(format.decimals)}%` : number.toFixed(format.decimals)
  }
  // Workbooks keep fifteen digits; the rest is rounding error.
  return String(Number(number.toPrecision(15)))
}

function formatMoment(days: number, { date, time }: NumberFormat, from1904: boolean): string {
  // The 1900 date system counts a nonexistent 29 February 1900, so that 1 March is day 61.
  const shift = !from1904 && days < 60 ? 1 : 0
  const moment = new Date(Math.round(((days + shift) * DAY) / 1000) * 1000 + (from1904 ? EPOCH_1904 : EPOCH))
  if (Number.isNaN(moment.getTime())) return String(days)
  const [day = '', clock = ''] = moment.toISOString().split('T')
  const shown = clock.slice(0, clock.startsWith(':00', 5) ? 5 : 8)
  return date && time ? `${day} ${shown}` : date ? day : shown
}
