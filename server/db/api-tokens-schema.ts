/** Personal API tokens. */
export interface ApiTokensTable {
  /** 64 random bits in hexadecimal; shown in lists and in the audit log. */
  id: string
  user_id: number
  label: string
  /** SHA-256 of the secret, in hexadecimal. */
  hash: string
  /** Last four characters of the secret. */
  hint: string
  /** `TokenScope[]` as JSON. */
  scopes: string
  /** Paths in the scope of the account, as JSON; empty for all files. */
  folders: string
  /** Addresses and networks as JSON; empty for any. */
  networks: string
  expires_at: number | null
  created_at: number
  /** Last use, to the minute. */
  used_at: number | null
  /** Client address and `User-Agent` of the last use, `''` if unknown. */
  address: string
  agent: string
}
