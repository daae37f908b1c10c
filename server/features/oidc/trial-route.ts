import { TrialBegun, TryProvider } from '../../../shared/api/trials.ts'
import { callerOf, parameterOf, type Route } from '../../routing/route.ts'
import { countStart } from '../auth/sign-in-rate.ts'
import { type ConfirmDeps, confirmCaller } from '../users/confirm-password.ts'
import { leave } from './browser.ts'
import type { OidcDeps } from './providers.ts'
import { triedBefore } from './trial.ts'

/** The page that shows how a trial went. */
const PAGE = '/settings/diagnostics'

/** Administrators try a provider (http-api 45). The callback completes it. */
export const providerTrialRoute = (deps: OidcDeps & ConfirmDeps): Route => ({
  method: 'POST',
  path: '/api/oidc/:slug/trial',
  access: 'admin',
  token: 'none',
  records: 'nothing',
  schema: TryProvider,
  describes: {
    summary: 'Begin to try a provider; signs no user in and changes no account',
    path: 'The short name of the provider.',
    answers: {
      200: {
        text: 'Where the browser goes; or how it failed before that.',
        schema: TrialBegun,
        headers: { 'Set-Cookie': 'Ties the trial to this browser.' },
      },
      403: { text: 'With `X-Error-Code: confirm_first`: the sign-in is too long ago to confirm this.' },
      404: { text: 'There is no such provider.' },
    },
    refuses: [400, 429],
  },
  async handler(request, reply): Promise<TrialBegun> {
    const client = await deps.providers.demand(parameterOf(request, 'slug'))
    const password = (request.body as TryProvider).current_password
    await confirmCaller(deps, { request, password })
    await countStart(deps, request.ip)
    const { user, sessionId } = callerOf(request)
    const trial = { userId: user.id, sessionId }
    let location = ''
    const failed = await triedBefore(client, async () => {
      location = await leave(deps, [request, reply], client, { redirect: PAGE, trial })
    })
    reply.header('Cache-Control', 'no-store')
    return failed ? { trial: failed } : { location }
  },
})
