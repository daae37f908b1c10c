import type { Generated, Kysely } from 'kysely'
import type { ApiTokenTables } from './api-tokens-schema.ts'
import type { BrandingTables } from './branding-schema.ts'
import type { DavPropTables } from './dav-props-schema.ts'
import type { FactorTables } from './factors-schema.ts'
import type { GrantTables } from './grants-schema.ts'
import type { AccessEpoch, GroupTables } from './groups-schema.ts'
import type { HistoryTables } from './history-schema.ts'
import type { IdentityTables } from './identities-schema.ts'
import type { IntegrityTables } from './integrity-schema.ts'
import type { LinkTables } from './links-schema.ts'
import type { LockTables } from './locks-schema.ts'
import type { MailTables } from './mail-schema.ts'
import type { MountTables } from './mounts-schema.ts'
import type { OfficeTables } from './office-schema.ts'
import type { QuotaColumns, QuotaTables } from './quotas-schema.ts'
import type { RemarkTables } from './remarks-schema.ts'
import type { SavedSearchTables } from './saved-searches-schema.ts'
import type { TagTables } from './tags-schema.ts'
import type { WebhookTables } from './webhooks-schema.ts'

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
export interface Schema
  extends ApiTokenTables,
    BrandingTables,
    DavPropTables,
    FactorTables,
    GrantTables,
    GroupTables,
    HistoryTables,
    IdentityTables,
    IntegrityTables,
    LinkTables,
    LockTables,
    MailTables,
    MountTables,
    OfficeTables,
    QuotaTables,
    RemarkTables,
    SavedSearchTables,
    TagTables,
    WebhookTables {
  users: UsersTable
  sessions: SessionsTable
  last_seen: LastSeenTable
  guesses: GuessesTable
  settings: SettingsTable
  uploads: UploadsTable
  staging_places: StagingPlacesTable
  made_folders: MadeFoldersTable
  jobs: JobsTable
  job_items: JobItemsTable
  audit: AuditTable
  audit_chain: AuditChainTable
}

export interface UsersTable extends AccessEpoch, QuotaColumns {
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
  /** When the account was disabled; 0 while it is not. */
  disabled_at: Generated<number>
  /** `admin`, or else a directory. */
  disabled_by: Generated<string>
  /** `none` for a user without files of their own. */
  home: Generated<'scope' | 'none'>
  /** When the password was set; 0 where that was not noted. */
  password_set_at: Generated<number>
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
  /** Slug of the OpenID provider that began it, `''` without one. */
  provider: string
  /** The provider's own id of its session, `''` if unknown. */
  provider_sid: string
  /** The provider's ID token, which names the session when its user signs out there; `''` if unknown. */
  id_token: string
  /** 1 if that provider checked a second factor. */
  provider_factor: number
  /** It is never extended beyond this time; 0 for no such limit. */
  ends_at: number
  /** What was proven when it began, `SessionFactor`s in order with spaces between; `''` if that was not noted. */
  factors: string
  /** When its user last proved to be present, for sensitive requests; 0 for never. */
  confirmed_at: number
}

/** When a user last began a session or renewed one, in milliseconds; sessions themselves know more while they live. */
export interface LastSeenTable {
  user_id: number
  at: number
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

/** Resumable uploads; deleted once the file is committed. */
export interface UploadsTable {
  /** 128 random bits, base64url. */
  id: string
  /** No foreign key: the data on the disk must be found after its user is deleted. */
  user_id: number
  /** Hash of the link by which a visitor delivers the file; its owner is the user. Null for the user's own uploads. */
  link: string | null
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
