/** See `Schema`. */
export interface OfficeTables {
  office_files: OfficeFilesTable
  office_tokens: OfficeTokensTable
}

/** Files that office editors open, by the ids under which these know them. */
export interface OfficeFilesTable {
  /** 128 random bits. */
  id: string
  /** In the served root, symbolic links resolved. */
  place: string
  /** The last time. */
  opened_at: number
}

/** What an office editor gets to open one file for one user. */
export interface OfficeTokensTable {
  /** SHA-256 of the token, in hexadecimal. */
  hash: string
  file_id: string
  user_id: number
  /** The session in which the file was opened: the token ends with it. */
  bearer: string
  may_write: number
  expires_at: number
  /** When the editor used it first. */
  used_at: number | null
}
