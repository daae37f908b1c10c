import { randomBytes } from 'node:crypto'

/** Crockford's base 32 in lower case: no I, L, O or U. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_DIGITS = 10
const RANDOM_DIGITS = 16

let last = ''

/**
 * An id of 26 characters that sorts by time, and within a millisecond by the order of calls: 48 bits of milliseconds and
 * 80 random bits (the ULID specification, in lower case).
 * @param bytes at least 16, in place of random ones
 */
export function ulid(now: number = Date.now(), bytes?: Uint8Array): string {
  const time = lowestUlid(now)
  if (bytes) return time + digitsOf(bytes)
  last = last.startsWith(time) ? time + incremented(last.slice(TIME_DIGITS)) : time + randomDigits()
  return last
}

const digitsOf = (bytes: Uint8Array) => Array.from(bytes.subarray(0, RANDOM_DIGITS), byte => DIGITS[byte % 32]).join('')

const randomDigits = () => digitsOf(randomBytes(RANDOM_DIGITS))

/** The next number; after the highest one, another. */
function incremented(digits: string): string {
  const rest = digits.replace(/z+$/, '')
  if (rest === '') return randomDigits()
  const next = DIGITS[DIGITS.indexOf(rest.at(-1) ?? '') + 1] ?? ''
  return (rest.slice(0, -1) + next).padEnd(digits.length, '0')
}

/** A text before all ids of a time, and after all earlier ones. */
export function lowestUlid(time: number): string {
  let text = ''
  for (let rest = time; text.length < TIME_DIGITS; rest = Math.floor(rest / 32)) text = (DIGITS[rest % 32] ?? '') + text
  return text
}

export const isUlid = (text: string): boolean => /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)

/** When an id was made, in milliseconds since the epoch. */
export const timeOf = (id: string): number =>
  [...id.slice(0, TIME_DIGITS)].reduce((time, digit) => time * 32 + DIGITS.indexOf(digit), 0)
