/** Tables about the content of files; see `Schema`. */
export interface IntegrityTables {
  sums: SumsTable
  findings: FindingsTable
  scrub_runs: ScrubRunsTable
  duplicate_runs: DuplicateRunsTable
  duplicates: DuplicatesTable
}

/** The known checksum of a file's content, by the identity of the file. */
export interface SumsTable {
  identity: string
  /** Size and modification time of the content; see `stampOf`. */
  stamp: string
  /** The file's version when its content was last found to be this one. */
  version: string
  /** Hexadecimal. */
  sha256: string
  /** The path in the served root where it was last seen; a hint. */
  place: string
  size: number
  made_at: number
  /** When the content was last read. */
  checked_at: number
  seen_at: number
  source: 'upload' | 'scrub' | 'demand'
}

/** A file whose content is not what it was, or cannot be read. */
export interface FindingsTable {
  /** A ULID, in lower case. */
  id: string
  kind: 'rotten' | 'quiet' | 'unreadable'
  place: string
  identity: string
  stamp: string
  version: string
  size: number
  /** SHA-256 in hexadecimal: the known one, and that of the content that was read. */
  expected: string | null
  found: string | null
  at: number
  state: 'open' | 'accepted' | 'restored'
  settled_at: number | null
  /** The user's name. */
  settled_by: string | null
}

/** A check of the served root. */
export interface ScrubRunsTable {
  /** A ULID, in lower case. */
  id: string
  started_at: number
  /** Null while it runs, and for ever when its process was killed. */
  ended_at: number | null
  /** Whether nothing was left to check. */
  complete: number
  /** In the served root. */
  files: number
  bytes: number
  read_files: number
  read_bytes: number
  /** New findings. */
  found: number
}

/** A search for files of the same content. */
export interface DuplicateRunsTable {
  /** The id of the job. */
  id: string
  user_id: number
  /** The place in the served root below which was searched. */
  folder: string
  /** Bytes of the smallest file considered. */
  least: number
  at: number
  ended_at: number | null
  files: number
  /** Files that could not be read. */
  skipped: number
}

/** A file with the same content as the others of its group. */
export interface DuplicatesTable {
  run: string
  /** Groups are numbered by the bytes to gain, the most first. */
  grp: number
  position: number
  place: string
  identity: string
  modified: number
  size: number
  sha256: string
}
