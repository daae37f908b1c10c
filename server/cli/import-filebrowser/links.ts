import { posix } from 'node:path'
import { type FilePath, parsePath } from '../../../shared/path.ts'
import { isBcrypt } from '../../features/users/password.ts'
import { type Tell, teller } from './normalize.ts'
import type { Note } from './report.ts'
import { isFields } from './source.ts'

/** A link of the other installation that has not ended. */
export interface IncomingLink {
  hash: string
  /** The owner's id over there. */
  owner: number
  path: FilePath
  /** The path was shared with a slash at its end. */
  folder: boolean
  /** Seconds since the epoch; 0 for ever. */
  expire: number
  /** `''` without a password. */
  passwordHash: string
  /** Opens it in the place of the password, in addresses that were given away; `''` for none. */
  token: string
}

/** The links that can come; what is odd about one is told, ended ones are counted. */
export function convertLinks(raw: readonly unknown[] | undefined, notes: Note[]): IncomingLink[] {
  if (!raw) {
    teller(notes, 'links')('cannot', 'exported files have none; only the database does')
    return []
  }
  const now = Math.floor(Date.now() / 1000)
  let ended = 0
  const links = raw.flatMap((record, index) => {
    const hash = isFields(record) && typeof record.hash === 'string' ? record.hash : `number ${index + 1}`
    const link = convert(record, teller(notes, `link ${hash}`))
    if (link === undefined || link.expire === 0 || link.expire > now) return link ?? []
    ended += 1
    return []
  })
  if (ended > 0) teller(notes, 'links')('cannot', `${ended} ended already`)
  return links
}

function convert(record: unknown, tell: Tell): IncomingLink | undefined {
  const fields = isFields(record) ? record : {}
  const { hash, path, userID, expire = 0, password_hash: password, token } = fields
  if (typeof hash !== 'string' || !/^[\w-]{1,64}$/.test(hash)) return refuse(tell, 'its name makes no sense')
  const parsed = typeof path === 'string' ? pathIn(path) : undefined
  if (typeof path !== 'string' || parsed === undefined) return refuse(tell, 'its path makes no sense')
  if (typeof userID !== 'number' || !Number.isSafeInteger(userID)) return refuse(tell, 'it has no owner')
  if (typeof expire !== 'number' || !Number.isSafeInteger(expire)) return refuse(tell, 'its end makes no sense')
  const passwordHash = typeof password === 'string' ? password : ''
  if (passwordHash !== '' && !isBcrypt(passwordHash)) return refuse(tell, 'its password cannot be checked')
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

function refuse(tell: Tell, reason: string): undefined {
  tell('cannot', reason)
}
