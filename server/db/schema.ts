import type { Generated, Kysely } from 'kysely'

/** The database every feature's store works on; the dialect is chosen in `open.ts`. */
export type Db = Kysely<Schema>

export interface OpenedDb {
  db: Db
  /** Whether the database was made just now, by this start. */
  isNew: boolean
}

/**
 * Times are milliseconds since the epoch; `json` columns hold JSON text; booleans are 0 or 1; paths and scopes are
 * written as `paths.ts` says.
 */
export interface Schema {
  users: UsersTable
  sessions: SessionsTable
  guesses: GuessesTable
  settings: SettingsTable
  uploads: UploadsTable
  staging_places: StagingPlacesTable
  made_folders: MadeFoldersTable
  shares: SharesTable
  jobs: JobsTable
  job_items: JobItemsTable
  audit: AuditTable
  audit_chain: AuditChainTable
}

export interface UsersTable {
  /** Never used twice, so a leftover token or share can never meet a newcomer. */
  id: Generated<number>
  username: string
  /** PHC string (`$argon2id$…`) or an imported bcrypt hash. */
  password_hash: string
  /** Folder below the served root, as the wire writes it: `.` or `/…`. */
  scope: string
  lock_password: number
  /** `Permissions` as JSON. */
  perm: string
  /** Locale, view mode, sorting and the like as JSON. */
  preferences: string
  /** `Rule[]` as JSON. */
  rules: string
  /** `string[]` as JSON. */
  commands: string
  created_at: number
  /** Last change; a token issued before it asks for renewal. */
  modified_at: number
}

export interface SessionsTable {
  /** 128 random bits, base64url. */
  id: string
  user_id: number
  created_at: number
  renewed_at: number
  /** After this the session is over whatever its token says. */
  expires_at: number
  /** Id of the present token; `''` for tokens of before they had one. */
  token_id: string
  /** Id of the token before it, which is taken for a short while longer. */
  previous_id: string
  /** When the present token was first used; far in the future until it is. */
  rotated_at: number
  /** Last use, to the minute. */
  seen_at: number
  /** Where it was last used from, as far as is known: the client's address and its `User-Agent`. */
  address: string
  agent: string
  /** How its user came in, an `AuditWay`. */
  way: string
}

/** Wrong secrets of late. */
export interface GuessesTable {
  /** Digest of what was guessed at and from where. */
  key: string
  failures: number
  last_at: number
  /** After this the row means nothing. */
  forget_at: number
}

export interface SettingsTable {
  name: string
  value: string
}

export interface SharesTable {
  /** 128 random bits, base64url; imported links are shorter. */
  hash: string
  user_id: number
  /** In the owner's scope, as the wire writes it: a slash at the end is kept. */
  path: string
  /** Where that was in the served root when the link was made. */
  place: string
  /** The same with links followed, and names as they are listed. */
  canonical: string
  /** Identity of the object that is shared; another one has to be of the same kind and at the same real place. */
  identity: string
  kind: 'file' | 'folder'
  /** Removals and moves under way that take the object away, or were cut off: until then no other takes its place. */
  leaving: number
  /** Seconds since the epoch, as the wire has it; 0 for ever. */
  expire: number
  /** PHC string or bcrypt hash; `''` without a password. */
  password_hash: string
  /** SHA-256 in hexadecimal digits of the token that an imported link's addresses hold; `''` without one. */
  token_hash: string
  created_at: number
}

/** Uploads that arrive in pieces; gone once the file has its place. */
export interface UploadsTable {
  /** 128 random bits, base64url. */
  id: string
  /** No reference: what waits on the disk must be found again after its user is gone. */
  user_id: number
  /** The user's scope at the beginning; paths are relative to it. */
  scope: string
  path: string
  /** The storage's name for the unfinished file. */
  staged: string
  /** Bytes announced for the whole. */
  length: number
  /** Bytes that are safe on the disk. */
  offset: number
  /** Whether something that stands there may be replaced. */
  override: number
  /** The only version that may be replaced. */
  if_match: string | null
  /** Modification time of the file where it comes from. */
  modified: number | null
  /** What stands there may be replaced unless it was changed after this. */
  unmodified_since: number | null
  /** An algorithm and the digest of the whole file in base64, as `Upload-Checksum` spells them. */
  checksum: string | null
  created_at: number
  expires_at: number
}

/** Folders in which files and folders are being made, or were when a process ended. */
export interface StagingPlacesTable {
  /** As the store knows it. */
  place: string
  /** When something was last begun there. */
  noted_at: number
}

/** Folders that are being made for a file which is not there yet, or were when a process ended. */
export interface MadeFoldersTable {
  /** As the store knows it. */
  folder: string
  /** Right before it was made. */
  noted_at: number
}

/** Work that outlives the request that asked for it. */
export interface JobsTable {
  /** 128 random bits, base64url. */
  id: string
  /** What is to be done, a name of the job map. */
  kind: string
  /** No reference: what waits on the disk must be cleared up after its user is gone. */
  user_id: number
  /** The session that asked; what runs ends with it when it is ended by force. */
  session_id: string
  /** The user's scope at the beginning; paths are relative to it. */
  scope: string
  /** What the whole job needs to know, as JSON. */
  payload: string
  state: 'waiting' | 'running' | 'paused' | 'done' | 'cancelled'
  /** Why it ended before its items did. */
  code: string | null
  /** What somebody wants of whoever works on it; see `STOP`. */
  stop: number
  created_at: number
  /** Not before this. */
  run_at: number
  started_at: number | null
  ended_at: number | null
  /** The process that works on it. */
  owner: string | null
  /** When that process was last known to be alive. */
  heartbeat: number
  /** Bytes and entries done and in all, as JSON. */
  progress: string
  /** Where the order came from, for the audit log, as JSON. */
  origin: string
}

/** The things a job works on, one after the other; each gets one result. */
export interface JobItemsTable {
  job_id: string
  position: number
  source: string
  /** Where it goes; null where it goes nowhere. */
  target: string | null
  /** What becomes of something that stands there. */
  conflict: string | null
  state: 'waiting' | 'running' | 'done' | 'skipped' | 'failed' | 'cancelled'
  code: string | null
  /** What is needed to go on after a crash, as JSON. */
  journal: string | null
}

/** Who did what; rows are added and pruned, never changed. */
export interface AuditTable {
  /** Counts up by one, without a gap. */
  id: number
  at: number
  user_id: number
  username: string
  action: string
  outcome: string
  way: string
  address: string
  path: string
  target: string
  /** See `server/audit/chain.ts`. */
  hash: string
}

/** The ends of the audit log, in one row: the last one pruned, which the chain hangs on, and the newest. */
export interface AuditChainTable {
  anchor_id: number
  anchor_hash: string
  head_id: number
  head_hash: string
}
