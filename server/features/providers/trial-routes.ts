import { SignInTrial, TryDirectory } from '../../../shared/api/trials.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { callerOf, parameterOf, type Route } from '../../routing/route.ts'
import { type FlowDeps, findFlow } from '../auth/flows.store.ts'
import type { KeptTrial } from '../identities/trial.ts'
import { type ConfirmDeps, confirmCaller } from '../users/confirm-password.ts'

export interface TrialRouteDeps extends ConfirmDeps, FlowDeps {
  directories: ConfirmDeps['directories'] & {
    /** @throws AppError `not_found` */
    attempt(
      slug: string,
      user: { username: string; password: string | undefined },
    ): Promise<{ trial: SignInTrial; isWrong: boolean }>
  }
}

/** How a sign-in with a provider or a directory would go, for administrators (http-api 45). */
export function trialRoutes(deps: TrialRouteDeps): Route[] {
  return [directoryTrialRoute(deps), keptTrialRoute(deps)]
}

const directoryTrialRoute = ({ directories, ...deps }: TrialRouteDeps): Route => ({
  method: 'POST',
  path: '/api/directories/:slug/trial',
  access: 'admin',
  token: 'none',
  records: 'nothing',
  schema: TryDirectory,
  describes: {
    summary: 'Try a directory with a user of it; signs no user in and changes no account',
    path: 'The short name of the directory.',
    answers: {
      200: { text: 'How the sign-in would go.', schema: SignInTrial },
      403: { text: 'With `X-Error-Code: confirm_first`: the sign-in is too long ago to confirm this.' },
      404: { text: 'There is no such directory.' },
    },
    refuses: [400, 429],
  },
  async handler(request, reply): Promise<SignInTrial> {
    const { username, password: given, current_password: own } = request.body as TryDirectory
    await confirmCaller({ ...deps, directories }, { request, password: own })
    const password = given ?? undefined
    const slug = parameterOf(request, 'slug')
    reply.header('Cache-Control', 'no-store')
    let found: SignInTrial | undefined
    const attempt = async () => {
      const { trial, isWrong } = await directories.attempt(slug, { username, password })
      found = trial
      return isWrong ? undefined : trial
    }
    // A directory locks accounts after a handful of wrong passwords, also of an administrator.
    const guess = { kind: 'login', subject: username, free: LIMITS.directoryGuesses } as const
    const trial = await (password === undefined ? attempt() : deps.throttle.verify(request, guess, attempt))
    const shown = trial ?? found
    if (!shown) throw new AppError('internal')
    return shown
  },
})

const keptTrialRoute = (deps: TrialRouteDeps): Route => ({
  method: 'GET',
  path: '/api/providers/trials/:id',
  access: 'admin',
  token: 'none',
  describes: {
    summary: 'Show how a trial of a provider went',
    path: 'From the query of the page to which the browser came back.',
    answers: {
      200: { text: 'How the sign-in would go.', schema: SignInTrial },
      404: { text: 'The caller has begun no such trial within the last minutes.' },
    },
  },
  async handler(request, reply): Promise<SignInTrial> {
    const kept = await findFlow<KeptTrial>(deps, 'trial', parameterOf(request, 'id'))
    if (kept?.userId !== callerOf(request).user.id) throw new AppError('not_found')
    reply.header('Cache-Control', 'no-store')
    return kept.trial
  },
})
