import { AppError } from '../../errors.ts'

const MAX_NAME_BYTES = 255
/**
 * Separators, control characters (line breaks among them), lone surrogates; marks of direction and characters without
 * width, with which a name looks like another one.
 */
const REFUSED = /[/\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\u00ad\u200b\u2060\ufeff]/u
/** Names that are devices on Windows, with or without an extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i

/**
 * Refuses names that mislead users, log readers or file systems. Imported users keep their names.
 * @throws AppError `bad_request`
 */
export function checkUsername(username: string): void {
  if (username === '') throw new AppError('bad_request', 'username is empty')
  const hostile =
    REFUSED.test(username) ||
    username !== username.trim() ||
    username.startsWith('.') ||
    username.endsWith('.') ||
    username.includes('..') ||
    DEVICE.test(username) ||
    Buffer.byteLength(username) > MAX_NAME_BYTES
  if (hostile) throw new AppError('bad_request', 'username cannot be used')
}

/**
 * The name of a user's home (http-api 16.4): letters, digits and `@ _ - .` stay, each run of other characters becomes
 * `-`. Two users can have the same one.
 * @throws AppError `bad_request` when nothing is left of the name
 */
export function homeName(username: string): string {
  const name = username
    .trim()
    .replaceAll('..', '')
    .replace(/[^0-9A-Za-z@_.-]/g, '-')
    .replace(/-+/g, '-')
  if (name === '' || name === '-' || name === '.') throw new AppError('bad_request', 'username makes no home folder')
  return name
}

/** A scope in a form that is equal for spellings of one folder on any file system. */
export const foldScope = (scope: string): string =>
  scope.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC').replace(/\/+$/, '')
