import type { AuditWay } from '../../../shared/api/audit.ts'
import type { SessionFactor } from '../../../shared/api/auth.ts'

/** What the first step of a sign-in proves. */
const FIRST: Partial<Readonly<Record<AuditWay, SessionFactor>>> = {
  session: 'pwd',
  ldap: 'pwd',
  passkey: 'passkey',
  oidc: 'oidc',
  proxy: 'proxy',
  hook: 'hook',
  apitoken: 'token',
}

/** Sign-ins that confirm: their users were present. */
const CONFIRMING: readonly AuditWay[] = ['session', 'oidc', 'ldap', 'passkey']

/** What a sign-in proves. */
interface Proven {
  way?: AuditWay
  /** The provider that it came from. */
  from?: { hasFactor?: boolean }
  second?: SessionFactor | undefined
}

/** The columns of a new session about what its sign-in proved. */
export function provenBy(
  { way = 'session', from, second }: Proven,
  now: number,
): { factors: string; confirmed_at: number } {
  const factors = [FIRST[way], from?.hasFactor ? 'mfa' : undefined, second].filter(factor => factor !== undefined)
  return { factors: factors.join(' '), confirmed_at: CONFIRMING.includes(way) ? now : 0 }
}
