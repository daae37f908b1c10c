import type { Generated } from 'kysely'

/** Tables of what is kept, changed and marked; see `Schema`. */
export interface HistoryTables {
  areas: AreasTable
  kept: KeptTable
  objects: ObjectsTable
  changes: ChangesTable
  change_steps: ChangeStepsTable
  stars: StarsTable
  recents: RecentsTable
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
  /** The name that the visitor of a link gave, `''` for none; null for a change of the user. */
  visitor: string | null
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
  kind: 'trash' | 'move' | 'make' | 'replace' | 'restore' | 'purge' | 'link'
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
  /** The kept thing: in the trash, or a version; of `link` an id of the link that opens nothing. */
  kept: string | null
  /** Of a changed share link: its settings before and after, as JSON; a hashed password is in no response. */
  settings: string | null
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
