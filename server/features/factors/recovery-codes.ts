import { createHash, randomBytes } from 'node:crypto'
import { LIMITS } from '../../limits.ts'

/** Crockford’s base32, in lower case: no letter looks like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 80 bits: no slow hash is needed. */
const CHARACTERS = 16

/** New codes, such as `k7qm-2f9d-xw3h-8tna`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: LIMITS.recoveryCodes }, () => {
    const letters = [...randomBytes(CHARACTERS)].map(byte => ALPHABET[byte % ALPHABET.length])
    return (letters.join('').match(/.{4}/g) ?? []).join('-')
  })
}

/** What is stored of a code, however it was typed. */
export function hashOfCode(code: string): string {
  const letters = code.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
  return createHash('sha256').update(letters).digest('hex')
}
