const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/**
 * The midnight on the user's clock at which a day (`2026-11-28`) begins, or that many days later, as RFC 3339; `''` for an
 * empty text, `undefined` for one that is no date.
 */
export function instantOf(text: string, daysLater: number): string | undefined {
  if (text === '') return ''
  const [whole, year, month, day] = DATE.exec(text) ?? []
  if (whole === undefined) return undefined
  const date = new Date(Number(year), Number(month) - 1, Number(day) + daysLater)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
