import type { Generated, Kysely } from 'kysely'
import type { ApiTokensTable } from './api-tokens-schema.ts'
import type { IntegrityTables } from './integrity-schema.ts'
import type { TagTables } from './tags-schema.ts'

/** The database behind every feature's store; `open.ts` chooses the dialect. */
export type Db = Kysely<Schema>

export interface OpenedDb {
  db: Db
  /** Whether this start created the database. */
  isNew: boolean
}

/**
 * Times are milliseconds since the epoch; `json` columns hold JSON text; booleans are 0 or 1; paths and scopes are
 * stored as `paths.ts` defines.
 */
export interface Schema extends IntegrityTables, TagTables {
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
  areas: AreasTable
  kept: KeptTable
  objects: ObjectsTable
  changes: ChangesTable
  change_steps: ChangeStepsTable
  stars: StarsTable
  recents: RecentsTable
  api_tokens: ApiTokensTable
}

export interface UsersTable {
  /** Never reused, so that a leftover token or share link cannot match a new user. */
  id: Generated<number>
  username: string
  /** PHC string (`$argon2id$…`) or an imported bcrypt hash. */
  password_hash: string
  /** Folder below the served root, as on the wire: `.` or `/…`. */
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
  /** Last change; older tokens are due for renewal. */
  modified_at: number
  /** Whether `recents` has what the user opens. */
  remember_opened: Generated<number>
}

export interface SessionsTable {
  /** 128 random bits, base64url; after `token:<id>:` if a personal API token started the session. */
  id: string
  user_id: number
  created_at: number
  renewed_at: number
  /** The session ends here whatever its token says. */
  expires_at: number
  /** Id of the current token; `''` for tokens from before they had one. */
  token_id: string
  /** Id of the previous token, which is accepted for a grace period. */
  previous_id: string
  /** When the current token was first used; far in the future until it is. */
  rotated_at: number
  /** Last use, to the minute. */
  seen_at: number
  /** Client address and `User-Agent` of the last use, if known. */
  address: string
  agent: string
  /** How its user signed in, an `AuditWay`. */
  way: string
}

/** Recent wrong secrets. */
export interface GuessesTable {
  /** Digest of the account or link and the client's address. */
  key: string
  failures: number
  last_at: number
  /** The row expires here. */
  forget_at: number
}

export interface SettingsTable {
  name: string
  value: string
}

export interface SharesTable {
  /** 128 random bits, base64url; shorter for imported links. */
  hash: string
  user_id: number
  /** In the owner's scope, as on the wire: a trailing slash is kept. */
  path: string
  /** The target's path in the served root when the link was created. */
  place: string
  /** The same with symbolic links resolved, and names in the case that is listed. */
  canonical: string
  /** Identity of the shared object; a replacement must have the same kind and real path. */
  identity: string
  kind: 'file' | 'folder'
  /** Running or interrupted removals and moves of the target: until they end, no replacement is accepted. */
  leaving: number
  /** Seconds since the epoch, as on the wire; 0 for never. */
  expire: number
  /** PHC string or bcrypt hash; `''` without a password. */
  password_hash: string
  /** SHA-256, in hexadecimal, of the token in an imported link's URLs; `''` without one. */
  token_hash: string
  created_at: number
  /** Id of the kept thing that the target is, or lies in; null while the link serves. */
  suspended: string | null
}

/** Resumable uploads; deleted once the file is committed. */
export interface UploadsTable {
  /** 128 random bits, base64url. */
  id: string
  /** No foreign key: the data on the disk must be found after its user is deleted. */
  user_id: number
  /** The user's scope when the upload began; paths are relative to it. */
  scope: string
  path: string
  /** The storage's id of the unfinished file. */
  staged: string
  /** Announced length in bytes. */
  length: number
  /** Bytes that are durable. */
  offset: number
  /** Whether an existing file may be replaced. */
  override: number
  /** The only version that may be replaced. */
  if_match: string | null
  /** Modification time of the source file. */
  modified: number | null
  /** An existing file may be replaced unless it was modified after this time. */
  unmodified_since: number | null
  /** Algorithm and base64 digest of the whole file, as in `Upload-Checksum`. */
  checksum: string | null
  created_at: number
  expires_at: number
}

/** Folders in which files and folders are being created, or were when a process ended. */
export interface StagingPlacesTable {
  /** The storage's identifier. */
  place: string
  /** When an operation last began there. */
  noted_at: number
}

/** Folders being created for a file that does not exist yet, or that were when a process ended. */
export interface MadeFoldersTable {
  /** The storage's identifier. */
  folder: string
  /** Just before its creation. */
  noted_at: number
}

/** Jobs, which outlive the request that created them. */
export interface JobsTable {
  /** 128 random bits, base64url. */
  id: string
  /** The job's type, a key of the job map. */
  kind: string
  /** No foreign key: the data on the disk must be cleaned up after its user is deleted. */
  user_id: number
  /** The session that created it; a running job ends when that session is revoked. */
  session_id: string
  /** The user's scope when the job was created; paths are relative to it. */
  scope: string
  /** Options of the whole job, as JSON. */
  payload: string
  state: 'waiting' | 'running' | 'paused' | 'done' | 'cancelled'
  /** Why it ended before all items were done. */
  code: string | null
  /** A stop requested of the worker; see `STOP`. */
  stop: number
  created_at: number
  /** Do not start before this time. */
  run_at: number
  started_at: number | null
  ended_at: number | null
  /** The process that runs it. */
  owner: string | null
  /** Last heartbeat of that process. */
  heartbeat: number
  /** Bytes and entries, done and total, as JSON. */
  progress: string
  /** Origin of the request, for the audit log, as JSON. */
  origin: string
}

/** Items of a job, run in order; each gets one result. */
export interface JobItemsTable {
  job_id: string
  position: number
  source: string
  /** Destination; null if the item has none. */
  target: string | null
  /** What to do with an existing file at the destination. */
  conflict: string | null
  state: 'waiting' | 'running' | 'done' | 'skipped' | 'failed' | 'cancelled'
  code: string | null
  /** Checkpoint for resuming after a crash, as JSON. */
  journal: string | null
}

/** The audit log; rows are appended and pruned, never changed. */
export interface AuditTable {
  /** Incremented by one, without gaps. */
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

/** The ends of the audit log, in one row: the last pruned row, where the chain starts, and the newest. */
export interface AuditChainTable {
  anchor_id: number
  anchor_hash: string
  head_id: number
  head_hash: string
}

/** Hidden folders on the disk that hold deleted things. */
export interface AreasTable {
  /** A ULID. */
  id: string
  /** The folder of the served root that it is in. */
  place: string
  kind: 'own'
  /** Of the hidden folder. */
  identity: string
  made_at: number
}

/** What was deleted or replaced, and can come back or could until it was deleted for good. */
export interface KeptTable {
  /** A ULID, in lower case. */
  id: string
  /** Deleted, or a former content of a file. */
  kind: 'trash' | 'version'
  area: string
  /** In the area. */
  name: string
  /** The path in the served root that it had; never rewritten. */
  place: string
  identity: string
  is_folder: number
  /** Bytes of a file, or of all files in a counted folder; 0 for other folders. */
  size: number
  /** Everything in a folder; null until it is counted. */
  entries: number | null
  /** Modification time in milliseconds, with fractions. */
  modified: number
  mode: number
  /** Who deleted or replaced it; 0 if unknown. */
  user_id: number
  username: string
  /** When it was deleted or replaced. */
  at: number
  /** `outside`: found on the disk; `desktop`: the same, deleted by another program. */
  reason: 'delete' | 'upload' | 'save' | 'copy' | 'move' | 'extract' | 'restore' | 'undo' | 'outside' | 'desktop'
  /** `open`: being set aside; `leaving`: being restored or deleted for good. */
  state: 'open' | 'kept' | 'leaving' | 'gone'
  gone_at: number | null
  gone_why: 'restored' | 'purged' | 'age' | 'share' | 'need' | 'thinned' | 'lost' | null
  /** Of a version: the file that it belongs to. */
  object: string | null
  /** Of a version: the identity of the file that gave way; that of what is kept differs where it was copied. */
  was: string | null
  /** Of a version: its name. */
  label: string | null
  /** Never removed but by a user. */
  pinned: Generated<number>
  /** Of its content, if known; hexadecimal. */
  sha256: string | null
  /** The recorded change that it belongs to. */
  change: string | null
}

/** A file or folder over its whole life: through changes of its content, moves, the trash and the way back. */
export interface ObjectsTable {
  /** A ULID, in lower case. */
  id: string
  /** Of the folder, or of the file that has its newest content. */
  identity: string
  /** The path in the served root where it was last seen; a hint. */
  place: string
  /** Bytes and modification time that this server left; null if unknown. */
  size: number | null
  modified: number | null
  seen_at: number
}

/** One action of one user, with all its effects on files: what is undone together. */
export interface ChangesTable {
  /** A ULID, in lower case. */
  id: string
  at: number
  /** When its last step was recorded. */
  ended_at: number
  user_id: number
  username: string
  way: string
  session: string
  kind: string
  /** The session and the id that a client sent with all requests of one action. */
  gesture: string | null
  job: string | null
  /** The change that it undid. */
  undoes: string | null
  /** The change that undid it, at least in part. */
  undone_by: string | null
  /** The deepest folder of the served root that holds all its paths. */
  folder: string
  steps: number
  /** The number of steps that were not undone and can be. */
  undoable: number
  bytes: number
  /** Up to three names, as JSON. */
  facts: string
}

/** One effect on one path. Its paths are never rewritten. */
export interface ChangeStepsTable {
  change: string
  /** In the order in which they were recorded. */
  position: number
  kind: 'trash' | 'move' | 'make' | 'replace' | 'restore' | 'purge'
  /** Where it acted, in the served root. */
  place: string
  /** For `move`: the new path. */
  target: string | null
  is_folder: number
  /** Identity of the entry before. */
  was: string | null
  /** Identity of the entry after. */
  made: string | null
  /** Size and modification time of the file after. */
  stamp: string | null
  /** The kept thing: in the trash, or a version. */
  kept: string | null
  /** In a change that undoes another one: the position of the step in that one. */
  reverts: number | null
  /** The row of the audit log. */
  audit: number | null
  /** The change that undid it as a part of rewinding a folder, and the position there of its first step for that. */
  rewound_by: string | null
  rewound_at: number | null
  state: 'open' | 'done' | 'undone' | 'lost'
}

/** What users starred. */
export interface StarsTable {
  user_id: number
  object: string
  /** Ascending in the order of the list; not without gaps. */
  position: number
}

/** What users opened and changed last. */
export interface RecentsTable {
  user_id: number
  object: string
  opened_at: number | null
  changed_at: number | null
}
