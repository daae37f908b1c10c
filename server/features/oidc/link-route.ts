import { LinkProvider, ProviderAddress } from '../../../shared/api/oidc.ts'
import { callerOf, parameterOf, type Route } from '../../routing/route.ts'
import { countStart } from '../auth/sign-in-rate.ts'
import { type ConfirmDeps, confirmCaller } from '../users/confirm-password.ts'
import { leaveByCall, safeRedirect } from './browser.ts'
import type { OidcDeps } from './providers.ts'

/** Users connect their accounts with a provider themselves (http-api 45). The callback completes it. */
export const linkRoute = (deps: OidcDeps & ConfirmDeps): Route => ({
  method: 'POST',
  path: '/api/oidc/:slug/link',
  access: 'user',
  token: 'none',
  records: 'nothing',
  schema: LinkProvider,
  describes: {
    summary: 'Begin to connect the caller’s account with a provider',
    path: 'The short name of the provider.',
    answers: {
      200: {
        text: 'Where the browser goes.',
        schema: ProviderAddress,
        headers: { 'Set-Cookie': 'Ties the link to this browser.' },
      },
      403: { text: 'With `X-Error-Code: confirm_first`: the sign-in is too long ago to confirm this.' },
      404: { text: 'There is no such provider.' },
      503: { text: 'The provider does not answer.' },
    },
    refuses: [400, 429],
  },
  async handler(request, reply) {
    const client = await deps.providers.demand(parameterOf(request, 'slug'))
    const { current_password: password, redirect = '' } = request.body as LinkProvider
    await confirmCaller(deps, { request, password })
    await countStart(deps, request.ip)
    const { user, sessionId } = callerOf(request)
    const page = safeRedirect(redirect) || '/'
    const linking = { userId: user.id, sessionId }
    return leaveByCall(deps, [request, reply], client, { redirect: page, linking })
  },
})
