import type { SharesTable } from './links-schema.ts'

/** Personal API tokens, and the folders that some are confined to. */
export interface ApiTokenTables {
  api_tokens: ApiTokensTable
  token_folders: TokenFoldersTable
}

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
  /** 1 for a token that reaches only its `token_folders`, and nothing once it has none. */
  confined: number
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

/** The columns that bind a row to a folder are those of a link; `identity` is empty until the first use binds it. */
export interface TokenFoldersTable
  extends Pick<
    SharesTable,
    'hash' | 'user_id' | 'path' | 'place' | 'canonical' | 'identity' | 'leaving' | 'suspended'
  > {
  token: string
}
