import { AppError } from '../../errors.ts'

const UTF16 = new TextDecoder('utf-16be', { fatal: true })
/** Characters that are not written as they are. */
const OTHERS = /[^A-Za-z0-9'(),\-./:? ]+/g

/** A text in UTF-7 (RFC 2152), as names are in headers of WOPI. @throws AppError `bad_request` */
export function decodeUtf7(text: string): string {
  if (!/^[\x20-\x7e]*$/.test(text)) throw malformed()
  return text.replace(/\+([A-Za-z0-9+/]*)(-?)/g, (_whole, encoded: string, end: string) => {
    if (encoded !== '') return decodeShifted(encoded)
    if (end === '') throw malformed()
    return '+'
  })
}

/** Base64 of UTF-16 in big endian, without padding. */
function decodeShifted(encoded: string): string {
  const bytes = Buffer.from(encoded, 'base64')
  try {
    return UTF16.decode(bytes.subarray(0, bytes.length - (bytes.length % 2)))
  } catch {
    throw malformed()
  }
}

export function encodeUtf7(text: string): string {
  return text.replace(OTHERS, part => {
    if (part === '+') return '+-'
    const bytes = Buffer.from(part, 'utf16le').swap16()
    return `+${bytes.toString('base64').replace(/=+$/, '')}-`
  })
}

const malformed = () => new AppError('bad_request', 'a name is not in UTF-7')
