/** Tables of sign-in with OpenID providers and directories; see `Schema`. */
export interface IdentityTables {
  identities: IdentitiesTable
  login_flows: LoginFlowsTable
  logout_tokens_seen: LogoutTokensSeenTable
}

/** The accounts of users whom a provider or a directory identifies. */
export interface IdentitiesTable {
  /** `iss` and `sub` of the provider's tokens; `ldap:` with the slug of a directory, and the fixed id of the entry. */
  issuer: string
  subject: string
  /** Null once the account was removed: its user is refused from then on. */
  user_id: number | null
  /** The name that the provider last sent. */
  username: string
  created_at: number
  /** Last sign-in. */
  seen_at: number
  /** When a comparison with the directory first found no open entry; null while there is one. */
  missing_since: number | null
}

/** Sign-ins under way; each row is deleted by its only use. */
export interface LoginFlowsTable {
  /** SHA-256, in hexadecimal, of the `state`, of the handover code, of a ticket, of the link in a mail or of a trial. */
  id: string
  kind: 'provider' | 'handover' | 'factor' | 'passkey' | 'enrolment' | 'setup' | 'link' | 'trial' | 'confirm'
  /** Slug of the provider, `''` without one. */
  provider: string
  /** SHA-256, in hexadecimal, of the cookie of the browser that began it, if it has one. */
  binding: string
  /** As JSON; by kind. */
  data: string
  expires_at: number
}

/** Logout tokens of providers, each of which counts once. */
export interface LogoutTokensSeenTable {
  issuer: string
  jti: string
  expires_at: number
}
