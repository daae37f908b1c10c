import { createHmac, timingSafeEqual } from 'node:crypto'

/** A code changes at this interval, in seconds. */
const STEP = 30
/** Steps before and after the current one whose codes are accepted: clocks differ. */
const TOLERANCE = 1
const DIGITS = 6
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Bytes of a new secret, as RFC 4226 recommends. */
export const SECRET_BYTES = 20

/** The number of a step (RFC 6238). @param time in milliseconds since the epoch */
export const stepAt = (time: number): number => Math.floor(time / 1000 / STEP)

/** The code of a step (RFC 4226 with HMAC-SHA-1). */
export function codeAt(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE(mac.readUInt8(mac.length - 1) & 0xf) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The step with this code, of those that count now; `undefined` for a wrong code. */
export function stepOf(secret: Buffer, code: string, now: number): number | undefined {
  const current = stepAt(now)
  const steps = Array.from({ length: 2 * TOLERANCE + 1 }, (_, index) => current - TOLERANCE + index)
  return steps.filter(step => isSame(codeAt(secret, step), code)).at(-1)
}

/** A code as it was typed, without spaces; `undefined` for anything but the code of an app. */
export function codeIn(text: string): string | undefined {
  const code = text.replace(/\s/g, '')
  return /^\d{6}$/.test(code) ? code : undefined
}

/** A secret as apps take it (RFC 4648, without padding). @param secret of a multiple of five bytes */
export function toBase32(secret: Buffer): string {
  const bits = [...secret].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map(group => ALPHABET[Number.parseInt(group, 2)]).join('')
}

/** The inverse of `toBase32`. */
export function fromBase32(text: string): Buffer {
  const bits = [...text].map(letter => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(group => Number.parseInt(group, 2)))
}

/** The address that an app reads from the QR code. */
export function otpauthOf({ secret, issuer, username }: { secret: string; issuer: string; username: string }): string {
  const name = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`
  return `otpauth://totp/${name}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

const isSame = (right: string, given: string) =>
  right.length === given.length && timingSafeEqual(Buffer.from(right), Buffer.from(given))
