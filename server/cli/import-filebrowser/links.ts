import { posix } from 'node:path'
import { type FilePath, parsePath } from '../../../shared/path.ts'
import { isBcrypt } from '../../features/users/password.ts'
import { type Reporter, reporterFor } from './normalize.ts'
import type { Note } from './report.ts'
import { isFields } from './source.ts'

/** A share link of File Browser that has not expired. */
export interface IncomingLink {
  hash: string
  /** The owner's id in File Browser. */
  owner: number
  path: FilePath
  /** The path was shared with a trailing slash. */
  folder: boolean
  /** Seconds since the epoch; 0 means never. */
  expire: number
  /** `''` without a password. */
  passwordHash: string
  /** Replaces the password in URLs that were given away; `''` for none. */
  token: string
}

/** The share links that can be imported. Reports invalid ones, and the number of expired ones. */
export function convertLinks(raw: readonly unknown[] | undefined, notes: Note[]): IncomingLink[] {
  if (!raw) {
    reporterFor(notes, 'links')('cannot', 'exported files contain none; only the database does')
    return []
  }
  const now = Math.floor(Date.now() / 1000)
  let ended = 0
  const links = raw.flatMap((record, index) => {
    const hash = isFields(record) && typeof record.hash === 'string' ? record.hash : `number ${index + 1}`
    const link = convert(record, reporterFor(notes, `link ${hash}`))
    if (link === undefined || link.expire === 0 || link.expire > now) return link ?? []
    ended += 1
    return []
  })
  if (ended > 0) reporterFor(notes, 'links')('cannot', `${ended} already expired`)
  return links
}

function convert(record: unknown, report: Reporter): IncomingLink | undefined {
  const fields = isFields(record) ? record : {}
  const { hash, path, userID, expire = 0, password_hash: password, token } = fields
  if (typeof hash !== 'string' || !/^[\w-]{1,64}$/.test(hash)) return refuse(report, 'its hash is invalid')
  const parsed = typeof path === 'string' ? pathIn(path) : undefined
  if (typeof path !== 'string' || parsed === undefined) return refuse(report, 'its path is invalid')
  if (typeof userID !== 'number' || !Number.isSafeInteger(userID)) return refuse(report, 'it has no owner')
  if (typeof expire !== 'number' || !Number.isSafeInteger(expire)) return refuse(report, 'its expiry is invalid')
  const passwordHash = typeof password === 'string' ? password : ''
  if (passwordHash !== '' && !isBcrypt(passwordHash)) return refuse(report, 'its password hash cannot be verified')
  return {
    hash,
    owner: userID,
    path: parsed,
    folder: path.endsWith('/'),
    expire,
    passwordHash,
    token: passwordHash !== '' && typeof token === 'string' ? token : '',
  }
}

function pathIn(text: string): FilePath | undefined {
  try {
    return parsePath(posix.normalize(`/${text}`))
  } catch {
    return undefined
  }
}

function refuse(report: Reporter, reason: string): undefined {
  report('cannot', reason)
}
