import type { LockScope, LockVia } from '../../shared/api/locks.ts'

/** See `Schema`. */
export interface LockTables {
  locks: LocksTable
}

export interface LocksTable {
  id: string
  /** What clients submit: a URI with 122 random bits. */
  token: string
  /** In the served root, symbolic links resolved. */
  place: string
  /** 1 for a folder with all that is in it, else 0. */
  depth: number
  scope: LockScope
  user_id: number
  /** The session or the API token that took it, `''` for a request with a password. */
  bearer: string
  /** The content of the element `owner` of WebDAV, as XML. */
  owner_xml: string
  /** The program. */
  label: string
  via: LockVia
  /** What an office editor calls its lock; null for other locks. */
  wopi_id: string | null
  created_at: number
  refreshed_at: number
  expires_at: number
}
