/** Tables of second factors; see `Schema`. */
export interface FactorTables {
  totp: TotpTable
  recovery_codes: RecoveryCodesTable
}

/** The authenticator app of a user. */
export interface TotpTable {
  user_id: number
  /** The shared secret in base32, sealed. */
  secret: string
  /** 0 until the user has entered a first code. */
  confirmed_at: number
  /** Each code counts once: only those of later steps are accepted. */
  last_step: number
  created_at: number
}

/** Codes that do instead of those of the app, each once. */
export interface RecoveryCodesTable {
  user_id: number
  /** SHA-256, in hexadecimal. */
  hash: string
  used_at: number | null
}
