import { randomBytes } from 'node:crypto'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { digestOf, type FlowDeps, insertFlow, takeFlow } from '../auth/flows.store.ts'
import type { SessionProvider } from '../auth/sessions.ts'
import { syncMemberships } from '../groups/groups.ts'
import { providerSource } from '../groups/members.store.ts'
import { accountOf, type FoundAccount } from '../identities/account.ts'
import { isAllowed, syncClaimed } from '../identities/claimed-groups.ts'
import { findIdentity, type Identity } from '../identities/identities.store.ts'
import { SignInProblem } from '../identities/problem.ts'
import { UNWATCHED } from '../identities/trial.ts'
import { endWaiting } from '../identities/waiting.ts'
import type { StoredUser } from '../users/users.store.ts'
import { type Claims, groupsIn } from './claims.ts'
import { type Confirming, demandAnew } from './confirming.ts'
import { arriving, describedBy } from './described.ts'
import { claimsSecondFactor } from './factor-proof.ts'
import { type Linking, linkedAccount } from './linking.ts'
import { type ProviderClient, problemOf } from './provider-client.ts'
import type { OidcDeps } from './providers.ts'

/** The longest ID token that is kept, in characters: it is sent in an address later. */
const LONGEST_ID_TOKEN = 4096
/** The longest `sub` and `sid`, in characters (OpenID Connect Core 2). */
const LONGEST_ID = 255

/** What a sign-in needs once the provider sends the browser back. */
export interface ProviderFlow {
  nonce: string
  verifier: string
  redirectUri: string
  redirect: string
  /** The session that connects its account; without one, a sign-in. */
  linking?: Linking | undefined
  /** The session whose user proves to be present. */
  confirming?: Confirming | undefined
  /** The session of an administrator who only tries the provider. */
  trial?: Linking | undefined
}

/** What a sign-in needs once the page asks for its session. */
export interface Handover {
  userId: number
  from: SessionProvider
  /** The provider says that it checked a second factor. */
  hasFactor: boolean
}

export const newSecret = (): string => randomBytes(32).toString('base64url')

/** A browser that is about to go to a provider. */
export interface Beginning extends Pick<ProviderFlow, 'redirectUri' | 'redirect' | 'linking' | 'confirming' | 'trial'> {
  cookie: string
}

/**
 * Begins a sign-in (authorization code with PKCE; RFC 6749, RFC 7636).
 * @returns where the browser goes
 * @throws SignInProblem `away`
 */
export async function beginSignIn(
  deps: FlowDeps,
  client: ProviderClient,
  { cookie, ...given }: Beginning,
): Promise<string> {
  const { config } = await client.discover({ alive: true })
  const openid = await import('openid-client')
  const { slug, scopes } = client.settings
  const state = newSecret()
  const data: ProviderFlow = { nonce: newSecret(), verifier: openid.randomPKCECodeVerifier(), ...given }
  await insertFlow(deps, state, { kind: 'provider', provider: slug, cookie, data }, LIMITS.loginFlowTime)
  const parameters = {
    scope: scopes,
    redirect_uri: given.redirectUri,
    state,
    nonce: data.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(data.verifier),
    code_challenge_method: 'S256',
    // Makes it send `auth_time`. Glewlwyd refuses 0, and a short time ends while a user signs in.
    ...(given.confirming && { prompt: 'login', max_age: '60' }),
  }
  const isPushed = config.serverMetadata().require_pushed_authorization_requests === true
  const url = isPushed
    ? await openid.buildAuthorizationUrlWithPAR(config, parameters)
    : openid.buildAuthorizationUrl(config, parameters)
  return url.href
}

/**
 * Takes the sign-in to which a request of the browser belongs. It is used up then, so that a repeated request finds
 * nothing.
 * @throws SignInProblem `expired`, `mismatch`
 */
export async function takeSignIn(
  deps: FlowDeps,
  client: ProviderClient,
  { cookie, state }: { cookie: string; state: string },
): Promise<ProviderFlow> {
  const flow = await takeFlow<ProviderFlow>(deps, 'provider', state)
  if (!flow) throw new SignInProblem('expired', 'there is no such sign-in under way')
  if (flow.provider !== client.settings.slug) throw new SignInProblem('mismatch', 'it began at another provider')
  if (flow.binding !== digestOf(cookie)) throw new SignInProblem('mismatch', 'it began in another browser')
  return flow.data
}

/** The end of a sign-in at the provider. */
export interface Finished {
  user: StoredUser
  from: SessionProvider
  hasFactor: boolean
  /** The identity has just joined an account that was there before. */
  hasJoined: boolean
  /** The name of the account until now, if it has just followed that of its user. */
  formerName?: string | undefined
}

/**
 * Completes a sign-in when the provider sends the browser back, or connects or confirms the account whose session began
 * it; and replaces what that provider says about the user's groups.
 * @param query of the request, as received
 * @throws SignInProblem
 */
export async function finishSignIn(
  deps: OidcDeps,
  client: ProviderClient,
  { flow, query }: { flow: ProviderFlow; query: URLSearchParams },
): Promise<Finished> {
  const { issuer, subject, claims, from, hasFactor, authTime } = await identified(client, flow, query)
  const identity = { issuer, subject }
  const claimed = groupsIn(claims, client.settings)
  const source = providerSource(client.settings.slug)
  if (!isAllowed(claimed, client.settings)) {
    await endMemberships(deps, identity, source)
    throw new SignInProblem('not_allowed', 'no group of the user is allowed')
  }
  const described = describedBy(deps, client.settings, { identity, claims })
  let joined: StoredUser | undefined
  const joins = async () => {
    joined = await described.joins?.()
    return joined
  }
  const { linking, confirming } = flow
  if (confirming) await demandAnew(deps, confirming, identity, authTime)
  const { user, formerName }: FoundAccount = linking
    ? { user: await linkedAccount(deps, linking, identity, described.name) }
    : await accountOf(deps, client.settings, identity, { ...described, joins })
  if (joined) await endWaiting(deps.db, client.settings.slug, arriving(client.settings, claims))
  await syncClaimed(deps, user.id, source, { names: claimed, titles: claimed }, client.settings)
  return { user, from, hasFactor, hasJoined: joined !== undefined, formerName }
}

/** Keeps a completed sign-in until the page asks for its session. @returns the code for that, which works once */
export async function keepForHandover(
  deps: FlowDeps,
  client: ProviderClient,
  { cookie, user, from, hasFactor }: Pick<Finished, 'user' | 'from' | 'hasFactor'> & { cookie: string },
): Promise<string> {
  const code = newSecret()
  const data: Handover = { userId: user.id, from, hasFactor }
  await insertFlow(deps, code, { kind: 'handover', provider: client.settings.slug, cookie, data }, LIMITS.handoverTime)
  return code
}

/** A user whom the provider no longer lets in keeps no rights of its groups, which API tokens would still use. */
async function endMemberships(deps: OidcDeps, identity: Identity, source: string): Promise<void> {
  const known = await findIdentity(deps.db, identity)
  if (known && known.user_id !== null) await syncMemberships(deps, known.user_id, source, [])
}

/** Takes over a completed sign-in. @throws AppError `wrong_credentials` */
export async function takeHandover(
  deps: OidcDeps,
  { code, cookie }: { code: string; cookie: string },
): Promise<{ client: ProviderClient; handover: Handover }> {
  const flow = await takeFlow<Handover>(deps, 'handover', code)
  if (!flow || flow.binding !== digestOf(cookie)) throw new AppError('wrong_credentials')
  return { client: await deps.providers.demand(flow.provider), handover: flow.data }
}

/**
 * Exchanges the code, checks the ID token, and asks UserInfo about the same user (OpenID Connect Core 3.1, 5.3).
 * @throws SignInProblem
 */
export async function identified(
  client: ProviderClient,
  { nonce, verifier, redirectUri }: ProviderFlow,
  query: URLSearchParams,
  watch = UNWATCHED,
) {
  watch('description', client.settings.issuer)
  const { config } = await client.discover()
  watch('token')
  const openid = await import('openid-client')
  const back = new URL(redirectUri)
  back.search = query.toString()
  const expectedState = query.get('state') ?? ''
  const checks = { expectedState, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
  const tokens = await openid.authorizationCodeGrant(config, back, checks).catch(refused)
  const claims = tokens.claims()
  const subject = claims?.sub ?? ''
  if (!claims || subject === '' || subject.length > LONGEST_ID) throw new SignInProblem('bad_claims', 'no usable sub')
  const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined
  if (hasUserInfo) watch('userInfo')
  const more = hasUserInfo ? await openid.fetchUserInfo(config, tokens.access_token, subject).catch(refused) : {}
  const { sid } = claims
  const idToken = tokens.id_token ?? ''
  const from: SessionProvider = {
    provider: client.settings.slug,
    sid: typeof sid === 'string' && sid.length <= LONGEST_ID ? sid : '',
    idToken: idToken.length <= LONGEST_ID_TOKEN ? idToken : '',
  }
  const hasFactor = claimsSecondFactor(claims)
  const { iss: issuer, auth_time: authTime } = claims
  return { issuer, subject, claims: { ...claims, ...more } satisfies Claims, from, hasFactor, authTime }
}

/** Codes of an authorization response (RFC 6749 4.1.2.1, OpenID Connect Core 3.1.2.6) that are not our failure. */
const DENIED = ['access_denied', 'login_required', 'consent_required', 'interaction_required']
const AWAY = ['temporarily_unavailable', 'server_error']

function refused(error: unknown): never {
  const known = problemOf(error)
  if (known) throw known
  const { error: word, code, message, error_description: more } = error as Readonly<Record<string, unknown>>
  const reason = [message, code, word, more].filter(part => typeof part === 'string').join(': ')
  const problem = DENIED.includes(String(word)) ? 'denied' : AWAY.includes(String(word)) ? 'away' : 'internal'
  throw new SignInProblem(problem, reason, { cause: error })
}
