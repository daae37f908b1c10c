import { ConfirmByProvider, ProviderAddress } from '../../../shared/api/oidc.ts'
import { AppError } from '../../errors.ts'
import { callerOf, parameterOf, type Route } from '../../routing/route.ts'
import { countStart } from '../auth/sign-in-rate.ts'
import { identityOf } from '../identities/identities.store.ts'
import { leaveByCall, safeRedirect } from './browser.ts'
import type { OidcDeps } from './providers.ts'

/** Users prove to be present by signing in again at their provider (http-api 46). The callback completes it. */
export const confirmRoute = (deps: OidcDeps): Route => ({
  method: 'POST',
  path: '/api/oidc/:slug/confirm',
  access: 'user',
  token: 'none',
  records: 'nothing',
  schema: ConfirmByProvider,
  describes: {
    summary: 'Begin to confirm sensitive calls of the session with a provider',
    path: 'The short name of the provider.',
    answers: {
      200: {
        text: 'Where the browser goes.',
        schema: ProviderAddress,
        headers: { 'Set-Cookie': 'Ties the confirmation to this browser.' },
      },
      404: { text: 'There is no such provider, or the account is not connected with it.' },
      503: { text: 'The provider does not answer.' },
    },
    refuses: [400, 429],
  },
  async handler(request, reply) {
    const client = await deps.providers.demand(parameterOf(request, 'slug'))
    const { user, sessionId } = callerOf(request)
    if (!(await identityOf(deps.db, user.id, client.settings.issuer))) throw new AppError('not_found')
    await countStart(deps, request.ip)
    const redirect = safeRedirect((request.body as ConfirmByProvider).redirect ?? '') || '/'
    const confirming = { userId: user.id, sessionId, begunAt: Date.now() }
    return leaveByCall(deps, [request, reply], client, { redirect, confirming })
  },
})
