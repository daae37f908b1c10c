import type { Entry } from 'ldapts'
import { decodeTime } from './time.ts'

/** Attributes whose values are bytes. */
export const BYTES = ['objectGUID', 'objectSid']
/** Fixed ids of entries, the preferred one first. A DN is none: it changes when an entry is moved. */
export const SUBJECTS = ['entryUUID', 'objectGUID', 'ipaUniqueID', 'nsUniqueId']
/** Attributes with which directories close an account. */
export const CLOSING = [
  'userAccountControl',
  'nsAccountLock',
  'pwdAccountLockedTime',
  'accountExpires',
  'shadowExpire',
  'loginDisabled',
]

/** The longest id of an entry, in characters. */
const LONGEST_SUBJECT = 255
const DAY = 86_400_000
/** `ACCOUNTDISABLE` of Active Directory. */
const DISABLED = 2
/** Locked by an administrator, without an end (draft-behera-ldap-password-policy). */
const LOCKED_FOR_EVER = '000001010000Z'

/** An entry of a directory; names of attributes are found in any letter case. */
export class DirectoryEntry {
  readonly dn: string
  readonly #names: readonly string[]
  readonly #values: ReadonlyMap<string, readonly (string | Buffer)[]>

  constructor({ dn, ...attributes }: Entry) {
    this.dn = dn
    this.#names = Object.keys(attributes)
    const listed = Object.entries(attributes).map(
      ([name, found]) => [name.toLowerCase(), Array.isArray(found) ? found : [found]] as const,
    )
    this.#values = new Map(listed)
  }

  /** The texts of an attribute; values that are no UTF-8 are left out. */
  texts(name: string): string[] {
    const values = this.#values.get(name.toLowerCase()) ?? []
    return values.filter(value => typeof value === 'string').filter(value => !value.includes('\ufffd'))
  }

  text(name: string): string | undefined {
    return this.texts(name)[0]
  }

  /** The attributes that it has with their values as text, for administrators. */
  all(): [name: string, value: string][] {
    const pairs = this.#names.map((name): [string, string] => {
      const values = this.#values.get(name.toLowerCase()) ?? []
      return [name, values.map(value => (Buffer.isBuffer(value) ? value.toString('hex') : value)).join('; ')]
    })
    return pairs.filter(([, value]) => value !== '')
  }

  bytes(name: string): Buffer | undefined {
    const [value] = this.#values.get(name.toLowerCase()) ?? []
    return Buffer.isBuffer(value) && value.length > 0 ? value : undefined
  }
}

/** The fixed id of an entry; `undefined` if it has none that can be used. */
export function subjectOf(entry: DirectoryEntry, attribute: string): string | undefined {
  const names = attribute === '' ? SUBJECTS : [attribute]
  for (const name of names) {
    const bytes = entry.bytes(name)
    const subject = bytes ? guidOf(bytes) : entry.text(name)
    if (subject !== undefined && subject !== '' && subject.length <= LONGEST_SUBJECT) return subject
  }
  return undefined
}

/** An `objectGUID` as Windows writes it: the first three parts have their bytes in reverse. */
function guidOf(bytes: Buffer): string | undefined {
  if (bytes.length !== 16) return undefined
  const part = (from: number, to: number) => bytes.subarray(from, to)
  const parts = [
    ...[part(0, 4), part(4, 6), part(6, 8)].map(some => Buffer.from(some).reverse()),
    part(8, 10),
    part(10, 16),
  ]
  return parts.map(some => some.toString('hex')).join('-')
}

/** Whether a directory has closed the account of an entry. @param now in milliseconds since the epoch */
export function isClosed(entry: DirectoryEntry, now: number): boolean {
  const control = Number(entry.text('userAccountControl') ?? 0)
  const isLocked = [entry.text('nsAccountLock'), entry.text('loginDisabled')].some(value => /^true$/i.test(value ?? ''))
  const lastDay = Number(entry.text('shadowExpire') ?? -1)
  return (
    (control & DISABLED) !== 0 ||
    isLocked ||
    entry.text('pwdAccountLockedTime') === LOCKED_FOR_EVER ||
    decodeTime(entry.text('accountExpires')) <= now ||
    (lastDay >= 0 && lastDay * DAY <= now)
  )
}
