import * as z from 'zod/mini'
import { AppError } from '../errors.ts'
import { isLoopback } from '../lib/networks.ts'
import { readValueFile } from './file.ts'
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
  createUsers: z._default(z.boolean(), true),
  onTaken: z._default(z.enum(['refuse', 'suffix']), 'refuse'),
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
  if (json === '') return []
  const list = listIn(json)
  if (list.length > MOST_PROVIDERS) refuse(`there are at most ${MOST_PROVIDERS}`)
  const providers = list.map((entry, index) => provider(entry, `entry ${index + 1}`))
  const slugs = providers.map(({ slug }) => slug)
  const twice = slugs.find((slug, index) => slugs.indexOf(slug) !== index)
  if (twice !== undefined) refuse(`the slug ${twice} occurs twice`)
  return providers
}

function listIn(json: string): unknown[] {
  try {
    const list: unknown = JSON.parse(json)
    if (Array.isArray(list)) return list
  } catch {
    // The parser's message would quote the text, and a secret in it.
  }
  return refuse('it must be a list of providers')
}

function provider(entry: unknown, where: string): ProviderSettings {
  const read = ProviderInput.safeParse(entry)
  if (!read.success) return refuse(`${where}: ${problemIn(read.error.issues[0])}`)
  const { kind: _kind, clientSecretFile, clientAuth, label, ...given } = read.data
  const clientSecret = secretOf(read.data, where)
  const auth = clientAuth ?? (clientSecret === '' ? 'none' : 'basic')
  if ((auth === 'none') !== (clientSecret === '')) refuse(`${where}: clientAuth does not fit the clientSecret`)
  demandIssuer(given.issuer, where)
  const allow = given.allow.map(parsePattern)
  const maxSession = parseDuration(given.maxSession)
  return { ...given, label: label ?? given.slug, clientSecret, clientAuth: auth, allow, maxSession }
}

function secretOf({ clientSecret, clientSecretFile }: ProviderInput, where: string): string {
  if (clientSecret !== undefined && clientSecretFile !== undefined)
    return refuse(`${where}: give clientSecret or clientSecretFile, not both`)
  return clientSecretFile === undefined ? (clientSecret ?? '') : readValueFile('clientSecretFile', clientSecretFile)
}

function demandIssuer(issuer: string, where: string): void {
  const url = URL.parse(issuer)
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))
  const isPlain = url && url.search === '' && url.hash === '' && url.username === ''
  if (!isSecure || !isPlain) refuse(`${where}: issuer must be a plain https address`)
}

/** Names the field, never its value. */
function problemIn(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `there is no key ${issue.keys.map(shown).join(', ')}`
  const field = issue?.path.map(part => shown(String(part))).join('.') ?? ''
  return field === '' ? 'it must be a map of names to values' : `${field} is missing or cannot be used`
}

const shown = (key: string) => key.slice(0, 64).replace(/[^\x21-\x7e]/g, '?')

function refuse(problem: string): never {
  throw new AppError('bad_request', `The setting providers cannot be used: ${problem}.`)
}
