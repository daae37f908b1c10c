import * as z from 'zod/mini'
import { FactorConfirmation } from '../../../shared/api/factors.ts'
import { AccountIdentity } from '../../../shared/api/providers.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { IdentitiesTable } from '../../db/identities-schema.ts'
import { AppError } from '../../errors.ts'
import { callerOf, parameterOf, type Route, remark } from '../../routing/route.ts'
import { syncMemberships } from '../groups/groups.ts'
import { providerSource } from '../groups/members.store.ts'
import { deleteIdentity, identitiesOf } from '../identities/identities.store.ts'
import type { Source } from '../identities/sources.ts'
import { type ConfirmDeps, confirmCaller } from '../users/confirm-password.ts'
import { findUser } from '../users/users.store.ts'

export interface IdentityRouteDeps extends ConfirmDeps {
  cluster: Cluster
  providers: { sources(): Source[] }
  directories: ConfirmDeps['directories'] & { sources(): Source[] }
  passkeysOf(userId: number): Promise<readonly unknown[]>
}

/** The identities of the caller at providers and directories (http-api 45). */
export function identityRoutes(deps: IdentityRouteDeps): Route[] {
  return [listRoute(deps), removeRoute(deps)]
}

const listRoute = (deps: IdentityRouteDeps): Route => ({
  method: 'GET',
  path: '/api/account/identities',
  access: 'user',
  token: 'none',
  describes: {
    summary: 'List the accounts at providers and directories that the caller is connected with',
    answers: { 200: { text: 'Without the ids that those use.', schema: z.array(AccountIdentity) } },
  },
  async handler(request): Promise<AccountIdentity[]> {
    const found = await connected(deps, callerOf(request).user.id)
    return found.map(({ row, source, removable }) => ({
      kind: row.issuer.startsWith('ldap:') ? 'ldap' : 'oidc',
      slug: source?.slug ?? null,
      label: source?.label ?? row.issuer,
      username: row.username,
      created: new Date(row.created_at).toISOString(),
      used: new Date(row.seen_at).toISOString(),
      removable,
    }))
  },
})

const removeRoute = (deps: IdentityRouteDeps): Route => ({
  method: 'DELETE',
  path: '/api/account/identities/:slug',
  access: 'user',
  token: 'none',
  records: 'identity.unlink',
  schema: FactorConfirmation,
  describes: {
    summary: 'Disconnect the caller’s account from a provider',
    path: 'The short name of the provider.',
    answers: {
      204: { text: 'The provider no longer leads to the account, and the groups that it gave are gone.' },
      403: { text: 'It is the only way into the account, or the sign-in is too long ago (`confirm_first`).' },
    },
    refuses: [400, 404, 429],
  },
  async handler(request, reply) {
    const slug = parameterOf(request, 'slug')
    const { user } = callerOf(request)
    const find = async () =>
      (await connected(deps, user.id)).find(({ source }) => source?.kind === 'oidc' && source.slug === slug)
    if (!(await find())) throw new AppError('not_found')
    const password = (request.body as FactorConfirmation)?.current_password
    await confirmCaller(deps, { request, password })
    // Of two that are removed at once, the last one stays.
    await deps.cluster.lock(`identities:${user.id}`, async () => {
      const found = await find()
      if (!found) throw new AppError('not_found')
      if (!found.removable) throw new AppError('forbidden')
      await deleteIdentity(deps.db, found.row)
    })
    remark(request, { target: `provider:${slug}` })
    await syncMemberships(deps, user.id, providerSource(slug), [])
    return reply.code(204).send()
  },
})

interface Connected {
  row: IdentitiesTable
  /** Nothing for one that the host no longer names. */
  source: Source | undefined
  removable: boolean
}

/** A directory checks the password of its account, so it stays; so does the only way to sign in. */
async function connected(deps: IdentityRouteDeps, userId: number): Promise<Connected[]> {
  const { db, providers, directories, passkeysOf } = deps
  const sources = [...providers.sources(), ...directories.sources()]
  const rows = await identitiesOf(db, userId)
  const others = (await passkeysOf(userId)).length + (rows.length - 1)
  const hasPassword = (await findUser(db, userId))?.lockPassword === false
  return rows.map(row => {
    const source = sources.find(({ issuer }) => issuer === row.issuer)
    return { row, source, removable: source?.kind === 'oidc' && (hasPassword || others > 0) }
  })
}
