/** Tables of second factors; see `Schema`. */
export interface FactorTables {
  totp: TotpTable
  recovery_codes: RecoveryCodesTable
  passkeys: PasskeysTable
  known_devices: KnownDevicesTable
  factor_duties: FactorDutiesTable
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

/** Passkeys of users (WebAuthn). */
export interface PasskeysTable {
  /** 128 random bits, base64url; clients name the passkey by it. */
  id: string
  user_id: number
  /** The id that the authenticator chose, base64url. */
  credential: string
  /** By which authenticators know the user; the same for all passkeys of a user. 256 random bits, base64url. */
  handle: string
  /** The host name for which it was made: it works nowhere else. */
  rp_id: string
  /** COSE key, base64url. */
  public_key: string
  /** Signatures so far, as the authenticator counts them; 0 for one that does not. */
  counter: number
  /** `string[]` as JSON. */
  transports: string
  label: string
  created_at: number
  used_at: number | null
  /** When its counter went back: a copy of it may exist, and it is refused. */
  copied_at: number | null
}

/** Browsers in which a user signs in without the second factor for a while. */
export interface KnownDevicesTable {
  /** 128 random bits, base64url; the first half of the cookie. */
  id: string
  user_id: number
  /** SHA-256, in hexadecimal, of the second half, which changes with each use. */
  secret: string
  agent: string
  address: string
  created_at: number
  used_at: number
  expires_at: number
}

/** Until when a user who must have a second factor may do without. */
export interface FactorDutiesTable {
  user_id: number
  due_at: number
}
