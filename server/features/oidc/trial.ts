import type { SignInTrial } from '../../../shared/api/trials.ts'
import { LIMITS } from '../../limits.ts'
import { insertFlow } from '../auth/flows.store.ts'
import { SignInProblem } from '../identities/problem.ts'
import { type Arrived, consequences, type KeptTrial, stepwise } from '../identities/trial.ts'
import { withQuery } from './browser.ts'
import { groupsIn } from './claims.ts'
import { describedBy } from './described.ts'
import type { Linking } from './linking.ts'
import type { ProviderClient } from './provider-client.ts'
import type { OidcDeps } from './providers.ts'
import { identified, newSecret, type ProviderFlow } from './sign-in.ts'

/** Claims that protect a sign-in, and say nothing of the user. */
const PROTECTING = ['nonce', 'at_hash', 'c_hash', 's_hash']

/**
 * Goes through the steps before a browser leaves.
 * @param leave the last of them
 * @returns nothing when they succeed
 */
export async function triedBefore(
  client: ProviderClient,
  leave: () => Promise<void>,
): Promise<SignInTrial | undefined> {
  const { steps, error } = await stepwise(watch => {
    watch('description', client.settings.issuer)
    return leave()
  })
  return error === undefined ? undefined : { ...about(client), steps }
}

/**
 * Completes a trial when the provider sends the browser back: signs no user in and changes no account.
 * @returns the page that shows it
 * @throws SignInProblem `mismatch` when the session that began it has ended
 */
export async function triedPage(
  deps: OidcDeps,
  client: ProviderClient,
  { flow, query, trial }: { flow: ProviderFlow; query: URLSearchParams; trial: Linking },
): Promise<string> {
  const { userId, sessionId } = trial
  if (!(await deps.sessions.userOf(userId, sessionId)))
    throw new SignInProblem('mismatch', 'the session that began it has ended')
  const { steps, result } = await stepwise(async (watch): Promise<Arrived> => {
    const { issuer, subject, claims } = await identified(client, flow, query, watch)
    const identity = { issuer, subject }
    const groups = groupsIn(claims, client.settings)
    return {
      identity,
      described: describedBy(deps, client.settings, { identity, claims }),
      claims: shown(claims),
      groups: { names: groups, titles: groups },
    }
  })
  const arrived = result && (await consequences(deps, client.settings, result))
  const id = newSecret()
  const data: KeptTrial = { userId, trial: { ...about(client), steps, ...(arrived && { arrived }) } }
  const { slug: provider } = client.settings
  await insertFlow(deps, id, { kind: 'trial', provider, cookie: '', data }, LIMITS.loginFlowTime)
  return withQuery(`${deps.config.baseURL}${flow.redirect}`, { trial: id })
}

const about = ({ settings: { slug, label } }: ProviderClient) => ({ kind: 'oidc', slug, label }) as const

const shown = (claims: Readonly<Record<string, unknown>>) =>
  Object.entries(claims)
    .filter(([name]) => !PROTECTING.includes(name))
    .map(([name, value]) => [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')] as const)
