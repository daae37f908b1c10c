import type { NewcomerRules } from '../identities/account.ts'
import type { GroupChoice } from '../identities/claimed-groups.ts'

/** A server of a directory. */
export interface DirectoryServer {
  host: string
  port: number
  /** Encrypted from the first byte, by StartTLS, or not at all. */
  tls: 'ldaps' | 'starttls' | 'none'
}

/** An LDAP directory, as the host describes it (docs/sign-in.md). */
export interface DirectorySettings extends NewcomerRules, GroupChoice {
  kind: 'ldap' | 'activeDirectory'
  slug: string
  /** Shown to users. */
  label: string
  /** The first one that works is asked. */
  servers: readonly DirectoryServer[]
  /** Certificates of the authorities that count, as PEM; `''` for those of the system. */
  ca: string
  /** The account that searches; `''` for none. */
  bindDn: string
  bindPassword: string
  base: string
  /** Finds the entry of a user; `{username}` stands for the name. */
  filter: string
  /** Holds the fixed id of an entry; `''` for the first known one that the entry has. */
  subjectAttribute: string
  usernameAttribute: string
  groups: 'off' | 'memberOf' | 'search'
  /** `''` for `base`. */
  groupBase: string
  /** Finds the groups of an entry; `{dn}` and `{username}` stand for it. */
  groupFilter: string
  groupName: string
  nested: 'auto' | 'chain' | 'expand' | 'off'
  /** Milliseconds between comparisons of all accounts; 0 for never. */
  syncEvery: number
  onMissing: 'disable' | 'keep'
  /** The folder of a newcomer; `''` for that of every new account. */
  homeTemplate: string
}

/** What stands for a directory among issuers and sources of memberships; never that of an OpenID provider. */
export const directoryId = ({ slug }: Pick<DirectorySettings, 'slug'>): string => `ldap:${slug}`
