/** Tables of quotas; see `Schema`. */
export interface QuotaTables {
  quota_meters: QuotaMetersTable
  quota_holds: QuotaHoldsTable
  quota_warnings: QuotaWarningsTable
  place_warnings: PlaceWarningsTable
}

/** Of `UsersTable` and `GroupsTable`. Each is null where it does not say, -1 for no limit. */
export interface QuotaColumns {
  quota_bytes: number | null
  /** Files and folders. */
  quota_items: number | null
}

/** What lies in a folder that is the home of users with a quota. `bytes + held` is never below what lies there. */
export interface QuotaMetersTable {
  /** Digest of the folder. */
  id: string
  folder: string
  /** Bytes of the files in it, as far as settled. */
  bytes: number
  /** Bytes that running writes may add: the sum of `quota_holds`. */
  held: number
  /** The sum of the bytes that were added; never decreases. */
  grown: number
  /** Files and folders in it, as `bytes`, `held` and `grown` have them for bytes. */
  items: number
  held_items: number
  grown_items: number
  /** Incremented when a change is settled. */
  changes: number
  /** Incremented when the removal of a folder is settled. */
  trees: number
  /** `counting`: it must be counted, and the bytes may be too high, or unknown for a new one. */
  state: 'counting' | 'exact'
  counted_at: number | null
}

/** Room that a write has reserved in a folder with a quota, or a removal that is under way (0 bytes). */
export interface QuotaHoldsTable {
  /** Random; for a resumable upload the digest of its staged file. */
  id: string
  meter: string
  bytes: number
  items: number
  kind: 'change' | 'upload'
  /** The process; of a change that ended with it, the folder is counted again. */
  owner: string
  heartbeat: number
}

/** Users who were warned that their quota is nearly used up. */
export interface QuotaWarningsTable {
  user_id: number
  /** The highest share that they were warned about, and that is not far below again. */
  percent: number
}

/** The same of roots and mounts, about which administrators are warned. */
export interface PlaceWarningsTable {
  kind: 'root' | 'mount'
  /** The name of the root, or the id of the mount. */
  place: string
  percent: number
}
