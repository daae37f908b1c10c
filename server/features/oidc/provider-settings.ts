/** An OpenID provider, as the host describes it (docs/sign-in.md). */
export interface ProviderSettings {
  /** Its name in addresses. */
  slug: string
  /** Shown on its button. */
  label: string
  /** Whether the sign-in page goes there at once. */
  autoRedirect: boolean
  issuer: string
  clientId: string
  /** `''` for a public client. */
  clientSecret: string
  clientAuth: 'basic' | 'post' | 'none'
  scopes: string
  usernameClaim: string
  /** A claim, or a path of claims with dots. */
  groupsClaim: string
  /** Tests of the values of `groupsClaim`, of which one must succeed; empty for everyone. */
  allow: readonly ((group: string) => boolean)[]
  /** Names of groups here, by values of `groupsClaim`. */
  groupMap: Readonly<Record<string, string>>
  /** Whether groups of the provider that are not mapped become groups here. */
  importGroups: 'mapped' | 'all'
  createUsers: boolean
  /** What a newcomer gets whose name another account has: nothing, or a name with a number. */
  onTaken: 'refuse' | 'suffix'
  /** Whether an unknown identity may join the account with its mail address. */
  linkExisting: 'never' | 'verifiedEmail'
  /** The folder of a newcomer; `''` for that of every new account. */
  homeTemplate: string
  /** Whether an account gets the new name when the provider renames its user. */
  followNames: boolean
  /** Whether each of its sign-ins counts as one with two factors, whatever it says of them. */
  provesFactors: boolean
  rpLogout: boolean
  /** Lifetime of a session, in milliseconds. */
  maxSession: number
}
