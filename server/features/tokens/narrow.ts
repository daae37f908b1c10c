import type { TokenScope } from '../../../shared/api/tokens.ts'
import type { FilePath } from '../../../shared/path.ts'
import { PERMISSIONS, type Permission, type Permissions } from '../../../shared/permissions.ts'
import type { Ceiling } from '../../files/policy.ts'
import type { ActingUser } from '../groups/acting-user.ts'

/** What a token leaves of the rights of its account. */
export interface TokenLimits {
  scopes: readonly TokenScope[]
  /** The only folders that it reaches; missing for all files. */
  folders?: readonly FilePath[] | undefined
}

/** An account as a token may act for it. */
export type NarrowedUser = ActingUser & { ceiling?: Ceiling }

/** The scopes that pass on each permission of the account. None passes on `execute`. */
const PASSED_BY: Readonly<Record<Permission, readonly TokenScope[]>> = {
  admin: ['admin'],
  execute: [],
  create: ['write'],
  rename: ['write'],
  modify: ['write'],
  delete: ['write'],
  share: ['share'],
  download: ['read'],
}

/** The intersection of the rights of an account, as they are now, and the limits of a token. */
export function narrow(user: ActingUser, { scopes, folders }: TokenLimits): NarrowedUser {
  const isPassed = (name: Permission) => PASSED_BY[name].some(scope => scopes.includes(scope))
  const passed = (perm: Permissions) =>
    Object.fromEntries(PERMISSIONS.map(name => [name, perm[name] && isPassed(name)])) as Permissions
  const receiving = user.receiving && { receiving: passed(user.receiving) }
  return { ...user, perm: passed(user.perm), ...receiving, ...(folders && { ceiling: { folders } }) }
}

/** Scopes in their order, with those that others include. */
export function completeScopes(scopes: readonly TokenScope[]): TokenScope[] {
  const reads = scopes.some(scope => scope !== 'admin')
  const has = (scope: TokenScope) => scopes.includes(scope) || (scope === 'read' && reads)
  return (['read', 'write', 'share', 'admin'] as const).filter(has)
}
