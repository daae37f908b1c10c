import type { Generated } from 'kysely'

/** Links, and what arrived by those that collect files. */
export interface LinkTables {
  shares: SharesTable
  deliveries: DeliveriesTable
  link_events: LinkEventsTable
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
  /** Id of the kept thing that the target is, or lies in, or the mark of a link that was removed; null while it serves. */
  suspended: string | null
  /** Visitors view and download, change files as well, or deliver files. */
  purpose: Generated<'view' | 'edit' | 'drop'>
  /** JSON: what visitors of a link to edit may do if its owner may. */
  rights: Generated<string>
  /** The owner's name for the link. */
  label: Generated<string>
  /** What visitors are asked for. */
  note: Generated<string>
  /** Whether visitors give their name. */
  sender: Generated<'no' | 'optional' | 'required'>
  /** Limits of what visitors deliver; null for none. */
  max_file_bytes: Generated<number | null>
  max_bytes: Generated<number | null>
  max_items: Generated<number | null>
  /** Announced by unfinished uploads; with what has arrived they never exceed the limits. */
  held_bytes: Generated<number>
  held_items: Generated<number>
  received_bytes: Generated<number>
  received_items: Generated<number>
  /** Visits, and downloads that were begun. */
  views: Generated<number>
  downloads: Generated<number>
  last_used_at: Generated<number | null>
  /** The owner's name for it in its address, folded; null for none. */
  slug: Generated<string | null>
  /** Downloads of all visitors together; null for no limit. */
  max_downloads: Generated<number | null>
  /** Milliseconds since the epoch; null while it is open. */
  paused_at: Generated<number | null>
  /** 1 where visitors of a link to view see listings and previews only. */
  preview_only: Generated<number>
}

/** Files of visitors, from the beginning of their upload on. */
export interface DeliveriesTable {
  /** 128 random bits, base64url: the id of the upload, which only its visitor knows. */
  id: string
  link: string
  /** The name that the visitor gave; `''` for none. */
  sender: string
  /** The visitor's message. */
  note: string
  /** The name that the file has at the visitor. */
  given: string
  /** Below the shared folder; `''` until it has arrived. */
  path: string
  bytes: number
  /** Of the client. */
  address: string
  arrived_at: number | null
}

/** The last openings and downloads of links; no address is stored. */
export interface LinkEventsTable {
  id: string
  link: string
  /** Milliseconds since the epoch. */
  at: number
  what: 'view' | 'download'
  /** Below the link. */
  path: string
}
