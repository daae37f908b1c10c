import * as z from 'zod/mini'
import { parseEntries, type Refuse, secretIn } from './entries.ts'
import { readValueFile } from './file.ts'
import { homeTemplate } from './home-template.ts'
import { parseDuration, parsePattern } from './parse.ts'

const MOST_DIRECTORIES = 10
const MOST_SERVERS = 8
const MOST_PATTERNS = 100
const MOST_MAPPED = 1000

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most))
const attribute = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/))
const filter = text(2048).check(z.regex(/^\(.*\)$/s))
const hasFew = (map: object) => Object.keys(map).length <= MOST_MAPPED

/** What a kind of directory has in common, where the host says nothing else. */
const KINDS = {
  ldap: {
    filter: '(&(objectClass=person)(|(uid={username})(mail={username})))',
    usernameAttribute: 'uid',
    groupFilter: '(|(member={dn})(uniqueMember={dn})(memberUid={username}))',
  },
  activeDirectory: {
    filter:
      '(&(objectCategory=person)(objectClass=user)(|(sAMAccountName={username})(userPrincipalName={username})(mail={username})))',
    usernameAttribute: 'sAMAccountName',
    groupFilter: '(member={dn})',
  },
} as const

/** One directory in the configuration file; unknown keys are refused. */
const DirectoryInput = z.strictObject({
  kind: z._default(z.enum(['ldap', 'activeDirectory']), 'ldap'),
  slug: z.string().check(z.regex(/^[a-z0-9-]{1,32}$/)),
  label: z.optional(text(64)),
  urls: z.array(text(512)).check(z.minLength(1), z.maxLength(MOST_SERVERS)),
  tls: z.optional(z.enum(['ldaps', 'starttls', 'none'])),
  allowPlain: z._default(z.boolean(), false),
  caFile: z.optional(text(4096)),
  bindDn: z._default(z.string().check(z.maxLength(1024)), ''),
  bindPassword: z.optional(text(1024)),
  bindPasswordFile: z.optional(text(4096)),
  base: text(1024),
  filter: z.optional(filter),
  subjectAttribute: z._default(z.union([z.literal(''), attribute]), ''),
  usernameAttribute: z.optional(attribute),
  groups: z._default(z.enum(['off', 'memberOf', 'search']), 'off'),
  groupBase: z._default(z.string().check(z.maxLength(1024)), ''),
  groupFilter: z.optional(filter),
  groupName: z._default(attribute, 'cn'),
  nested: z._default(z.enum(['auto', 'chain', 'expand', 'off']), 'auto'),
  allow: z._default(z.array(text(512)).check(z.maxLength(MOST_PATTERNS)), []),
  groupMap: z._default(z.record(text(512), text(255)).check(z.refine(hasFew)), {}),
  importGroups: z._default(z.enum(['mapped', 'all']), 'mapped'),
  createUsers: z._default(z.boolean(), true),
  onTaken: z._default(z.enum(['refuse', 'suffix']), 'refuse'),
  homeTemplate: homeTemplate('attribute'),
  followNames: z._default(z.boolean(), false),
  syncEvery: z._default(z.string(), '1h'),
  onMissing: z._default(z.enum(['disable', 'keep']), 'disable'),
})
type DirectoryInput = z.infer<typeof DirectoryInput>

/** A server of a directory. */
export interface DirectoryServer {
  host: string
  port: number
  /** Encrypted from the first byte, by StartTLS, or not at all. */
  tls: 'ldaps' | 'starttls' | 'none'
}

/** A directory, as the host describes it (docs/sign-in.md). */
export interface DirectorySettings
  extends Omit<
    DirectoryInput,
    | 'label'
    | 'urls'
    | 'tls'
    | 'allowPlain'
    | 'caFile'
    | 'bindPassword'
    | 'bindPasswordFile'
    | 'filter'
    | 'usernameAttribute'
    | 'groupFilter'
    | 'allow'
    | 'syncEvery'
  > {
  /** Shown to users. */
  label: string
  servers: readonly DirectoryServer[]
  /** Certificates of the authorities that count, as PEM; `''` for those of the system. */
  ca: string
  /** `''` for an anonymous search. */
  bindPassword: string
  /** Finds the entry of a user; `{username}` stands for the name. */
  filter: string
  usernameAttribute: string
  /** Finds the groups of an entry; `{dn}` and `{username}` stand for the entry. */
  groupFilter: string
  /** Tests of the groups of a user, in lower case, of which one must succeed; empty for everyone. */
  allow: readonly ((group: string) => boolean)[]
  /** Milliseconds between comparisons of all accounts; 0 for never. */
  syncEvery: number
}

/**
 * The directories of users, from a list as JSON.
 * @throws AppError `bad_request` with a sentence for the console, which contains no secret
 */
export const parseDirectories = (json: string): readonly DirectorySettings[] =>
  parseEntries({ name: 'directories', most: MOST_DIRECTORIES, schema: DirectoryInput, make: directory }, json)

function directory(input: DirectoryInput, refuse: Refuse): DirectorySettings {
  const { bindPasswordFile: _file, urls, tls, allowPlain, caFile, ...given } = input
  const bindPassword = secretIn('bindPassword', input, refuse)
  if ((given.bindDn === '') !== (bindPassword === '')) refuse('bindDn and bindPassword belong together')
  const preset = KINDS[given.kind]
  const finds = given.filter ?? preset.filter
  if (!finds.includes('{username}')) refuse('filter must contain {username}')
  return {
    ...given,
    label: given.label ?? given.slug,
    servers: urls.map(url => server(url, { tls, allowPlain }, refuse)),
    ca: caFile === undefined ? '' : readValueFile('caFile', caFile),
    bindPassword,
    filter: finds,
    usernameAttribute: given.usernameAttribute ?? preset.usernameAttribute,
    groupFilter: given.groupFilter ?? preset.groupFilter,
    allow: given.allow.map(pattern => parsePattern(pattern.toLowerCase())),
    groupMap: Object.fromEntries(Object.entries(given.groupMap).map(([group, name]) => [group.toLowerCase(), name])),
    syncEvery: given.syncEvery === '0' ? 0 : parseDuration(given.syncEvery),
  }
}

function server(
  address: string,
  { tls, allowPlain }: Pick<DirectoryInput, 'tls' | 'allowPlain'>,
  refuse: Refuse,
): DirectoryServer {
  const url = URL.parse(address)
  const isPlain = url && /^ldaps?:$/.test(url.protocol) && /^\/?$/.test(url.pathname + url.search + url.hash)
  if (!url || !isPlain || url.username !== '' || url.hostname === '')
    return refuse('urls must look like ldaps://ldap.example.org')
  const isSecure = url.protocol === 'ldaps:'
  const how = isSecure ? 'ldaps' : (tls ?? 'starttls')
  if (isSecure ? tls !== undefined && tls !== 'ldaps' : how === 'ldaps') refuse('tls does not fit the urls')
  if (how === 'none' && !allowPlain) refuse('tls none sends passwords in plain text, and needs allowPlain')
  const port = url.port === '' ? (isSecure ? 636 : 389) : Number(url.port)
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, tls: how }
}
