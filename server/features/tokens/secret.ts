import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'flg_'
/** Random characters, about 178 bits, and characters of the checksum. */
const RANDOM = 30
const CHECKSUM = 6
const FORM = /^flg_[0-9A-Za-z]{36}$/

/** A new secret: `flg_`, 30 random letters and digits, and 6 of a checksum. */
export function makeSecret(): string {
  const body = PREFIX + Array.from({ length: RANDOM }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return body + checksumOf(body)
}

/** Whether a credential is meant as a token, valid or not. */
export const isTokenLike = (text: string): boolean => text.startsWith(PREFIX)

/** Whether a text is complete and free of typing mistakes; costs no query. */
export function isWellFormed(text: string): boolean {
  return FORM.test(text) && checksumOf(text.slice(0, -CHECKSUM)) === text.slice(-CHECKSUM)
}

/** The stored form: enough bits are random that no slow hash is needed. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** CRC-32 in base 62. */
function checksumOf(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let place = 0; place < CHECKSUM; place++) {
    text = LETTERS[rest % LETTERS.length] + text
    rest = Math.floor(rest / LETTERS.length)
  }
  return text
}
