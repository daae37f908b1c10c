/** A name of a snapshot with the time in it: a year, month and day, and then perhaps hours, minutes and seconds. */
const DATE = /(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?:[-_.T ]*(\d{2})[-_.:hH]?(\d{2})(?:[-_.:mM]?(\d{2}))?)?/
const TOKENS: Readonly<Record<string, string>> = {
  Y: '(?<Y>\\d{4})',
  m: '(?<m>\\d{2})',
  d: '(?<d>\\d{2})',
  H: '(?<H>\\d{2})',
  M: '(?<M>\\d{2})',
  S: '(?<S>\\d{2})',
  s: '(?<s>\\d{9,11})',
  z: '(?<z>[+-]\\d{4}|)',
}

/** The time in a snapshot's name, in the time zone of the server; `undefined` where there is none. */
export function timeInName(name: string): number | undefined {
  const [, year, month, day, hours = '0', minutes = '0', seconds = '0'] = DATE.exec(name) ?? []
  return year === undefined ? undefined : localTime([year, month, day, hours, minutes, seconds])
}

/** The `date` of snapper's `info.xml`, which is in UTC: `2026-11-23 09:30:00`. */
export function timeInInfo(xml: string): number | undefined {
  const [, day, time] = /<date>(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})<\/date>/.exec(xml) ?? []
  return valid(Date.parse(`${day}T${time}Z`))
}

/** Matches a name with tokens as of `strftime` (`%Y %m %d %H %M %S %s %z`); any other text stands for itself. */
export function namePattern(pattern: string): RegExp {
  const source = pattern.replace(/%([A-Za-z])|[^%]/g, (text, token?: string) =>
    token === undefined ? escapeText(text) : (TOKENS[token] ?? escapeText(text)),
  )
  return new RegExp(`^${source}$`)
}

/** The time of a name that matches such a pattern; without `%z` in the time zone of the server. */
export function timeByPattern({ groups = {} }: Pick<RegExpExecArray, 'groups'>): number | undefined {
  const { Y, m, d, H = '0', M = '0', S = '0', s, z } = groups
  if (s !== undefined) return valid(Number(s) * 1000)
  if (Y === undefined) return undefined
  const fields = [Y, m, d, H, M, S]
  if (!z) return localTime(fields)
  const offset = (Number(z.slice(1, 3)) * 60 + Number(z.slice(3))) * (z.startsWith('-') ? -1 : 1)
  const [year = 0, month = 1, ...rest] = fields.map(Number)
  return valid(Date.UTC(year, month - 1, ...rest) - offset * 60_000)
}

function localTime(fields: readonly (string | undefined)[]): number | undefined {
  const [year = 0, month = 1, day = 1, hours = 0, minutes = 0, seconds = 0] = fields.map(Number)
  if (month < 1 || month > 12 || day < 1 || day > 31 || hours > 23 || minutes > 59 || seconds > 60) return undefined
  return valid(new Date(year, month - 1, day, hours, minutes, seconds).getTime())
}

const valid = (time: number) => (Number.isFinite(time) ? time : undefined)

const escapeText = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
