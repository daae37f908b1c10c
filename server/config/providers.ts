import * as z from 'zod/mini'
import { AppError } from '../errors.ts'
import { isLoopback } from '../lib/networks.ts'
import { parseEntries, type Refuse, secretIn } from './entries.ts'
import { homeTemplate } from './home-template.ts'
import { parseDuration, parsePattern } from './parse.ts'

const MOST_PROVIDERS = 20
const MOST_PATTERNS = 100
const MOST_MAPPED = 1000

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most))
const claim = text(128)
const hasFew = (map: object) => Object.keys(map).length <= MOST_MAPPED

/** One provider in the configuration file; unknown keys are refused. */
const ProviderInput = z.strictObject({
  kind: z._default(z.literal('oidc'), 'oidc'),
  slug: z.string().check(z.regex(/^[a-z0-9-]{1,32}$/)),
  label: z.optional(text(64)),
  autoRedirect: z._default(z.boolean(), false),
  issuer: text(512),
  clientId: text(256),
  clientSecret: z.optional(text(1024)),
  clientSecretFile: z.optional(text(4096)),
  clientAuth: z.optional(z.enum(['basic', 'post', 'none'])),
  scopes: z._default(z.string().check(z.regex(/^openid(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/)), 'openid profile'),
  usernameClaim: z._default(claim, 'preferred_username'),
  groupsClaim: z._default(claim, 'groups'),
  allow: z._default(z.array(text(256)).check(z.maxLength(MOST_PATTERNS)), []),
  groupMap: z._default(z.record(text(256), text(255)).check(z.refine(hasFew)), {}),
  importGroups: z._default(z.enum(['mapped', 'all']), 'mapped'),
  createUsers: z._default(z.boolean(), true),
  onTaken: z._default(z.enum(['refuse', 'suffix']), 'refuse'),
  linkExisting: z._default(z.enum(['never', 'verifiedEmail']), 'never'),
  homeTemplate: homeTemplate('claim'),
  followNames: z._default(z.boolean(), false),
  provesFactors: z._default(z.boolean(), false),
  rpLogout: z._default(z.boolean(), true),
  maxSession: z._default(z.string(), '24h'),
})
type ProviderInput = z.infer<typeof ProviderInput>

/** An OpenID provider, as the host describes it (docs/sign-in.md). */
export interface ProviderSettings
  extends Omit<
    ProviderInput,
    'kind' | 'label' | 'clientSecret' | 'clientSecretFile' | 'clientAuth' | 'allow' | 'maxSession'
  > {
  /** Shown on its button. */
  label: string
  /** `''` for a public client. */
  clientSecret: string
  clientAuth: 'basic' | 'post' | 'none'
  /** Tests of the values of `groupsClaim`, of which one must succeed; empty for everyone. */
  allow: readonly ((group: string) => boolean)[]
  /** Lifetime of a session, in milliseconds. */
  maxSession: number
}

/**
 * The providers of users, from a list as JSON.
 * @throws AppError `bad_request` with a sentence for the console, which contains no secret
 */
export function parseProviders(json: string): readonly ProviderSettings[] {
  const setting = { name: 'providers', most: MOST_PROVIDERS, schema: ProviderInput, make: provider }
  const providers = parseEntries(setting, json)
  if (providers.filter(({ autoRedirect }) => autoRedirect).length > 1)
    throw new AppError('bad_request', 'The setting providers cannot be used: autoRedirect is for one of them.')
  return providers
}

function provider(input: ProviderInput, refuse: Refuse): ProviderSettings {
  const { kind: _kind, clientSecretFile, clientAuth, label, ...given } = input
  const clientSecret = secretIn('clientSecret', input, refuse)
  const auth = clientAuth ?? (clientSecret === '' ? 'none' : 'basic')
  if ((auth === 'none') !== (clientSecret === '')) refuse('clientAuth does not fit the clientSecret')
  demandIssuer(given.issuer, refuse)
  const allow = given.allow.map(parsePattern)
  const maxSession = parseDuration(given.maxSession)
  return { ...given, label: label ?? given.slug, clientSecret, clientAuth: auth, allow, maxSession }
}

function demandIssuer(issuer: string, refuse: Refuse): void {
  const url = URL.parse(issuer)
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))
  const isPlain = url && url.search === '' && url.hash === '' && url.username === ''
  if (!isSecure || !isPlain) refuse('issuer must be a plain https address')
}
