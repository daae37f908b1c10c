import type { Finding } from '../api/diagnostics.ts'

/** Bytes that a proxy has to let through: more than nginx's default of 1 MiB. */
const BODY = 4 * 1024 * 1024
/** Maximum clock difference in seconds. */
const SKEW = 30
/** Is in every refusal of ours, so that a proxy's own is recognized (docs/design/auth.md). */
const OURS = 'X-Error-Code'
const METHODS = ['PUT', 'PATCH', 'DELETE']
/** Methods of WebDAV besides those of the interface. */
const DAV_METHODS = ['PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK']

/** Files that need not exist: requests for them are refused without credentials, by the server or by what is in front of it. */
const FILE = '/api/resources/doctor'
const DAV_FILE = '/dav/doctor'
const ODD_NAME = '%2Fa%20%25%3F'

/** Whether a request target ends with what is probed without credentials. */
export const isProbed = (target: string): boolean =>
  [FILE, `${FILE}${ODD_NAME}`, DAV_FILE].some(path => target.endsWith(path))

/** A response. */
export interface ProbeResponse {
  /** 0 without a response. */
  status: number
  text: string
  /** The status, or why there is none. */
  outcome: string
  header(name: string): string | null
}

/** A request: GET by default, with the caller's timeout (ms). */
export interface ProbeOptions {
  method?: string
  body?: Uint8Array<ArrayBuffer>
  headers?: Readonly<Record<string, string>>
  patience?: number
}

/** Sends a request to a path below the URL and never throws; redirects are not followed, and caches are bypassed. */
export type Probe = (path: string, how?: ProbeOptions) => Promise<ProbeResponse>

/** Where the probe runs. */
export interface ProbeTarget {
  /** With scheme, without a trailing slash. */
  url: string
  protocol: string
  hostname: string
  /** The path under which pages should believe they are served; `''` for none. */
  base: string
  ask: Probe
  /** Milliseconds since the epoch. */
  now(): number
}

/** Probes the way of users' requests: is it this server, and do the proxies in front of it let everything through? */
export async function probeProxy(way: ProbeTarget): Promise<Finding[]> {
  const health = await way.ask('/health')
  if (health.status !== 200 || !health.text.includes('"OK"')) {
    return [{ code: 'unreachable', what: `${way.url}/health: ${health.outcome}` }]
  }
  const looks = [checkBase, checkBodies, checkMethods, checkNames, checkDav]
  const findings = await Promise.all(looks.map(look => look(way)))
  return [{ code: 'reached', what: way.url }, checkScheme(way), checkClock(health, way.now()), ...findings.flat()]
}

function checkScheme({ protocol, hostname }: ProbeTarget): Finding {
  if (protocol === 'https:') return { code: 'encrypted' }
  if (hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]') return { code: 'nearby' }
  return { code: 'plainText', lines: ['filigree --cert … --key …'] }
}

function checkClock({ header }: ProbeResponse, now: number): Finding {
  const off = Math.round(Math.abs(now - Date.parse(header('Date') ?? '')) / 1000)
  if (Number.isNaN(off)) return { code: 'clockUnknown' }
  return off <= SKEW ? { code: 'clockRight' } : { code: 'clockWrong', amount: off, lines: ['timedatectl set-ntp true'] }
}

async function checkBase({ base, ask }: ProbeTarget): Promise<Finding> {
  const { text, outcome } = await ask('/')
  const found = /"BaseURL":\s*"([^"]*)"/.exec(text)?.[1]
  if (found === base) return { code: 'baseRight', what: base || '/' }
  return {
    code: 'baseWrong',
    what: found === undefined ? outcome : found || '/',
    lines: [`filigree --baseURL ${base || "''"}`],
  }
}

async function checkBodies({ ask }: ProbeTarget): Promise<Finding> {
  const answer = await ask(FILE, { method: 'POST', body: new Uint8Array(BODY) })
  if (isOurs(answer)) return { code: 'bodiesPass', amount: BODY }
  const lines = ['nginx:   client_max_body_size 0; proxy_request_buffering off;', 'Apache:  LimitRequestBody 0']
  return { code: 'bodiesStopped', amount: BODY, what: answer.outcome, lines }
}

async function checkMethods({ ask }: ProbeTarget): Promise<Finding> {
  const answers = await Promise.all(METHODS.map(method => ask(FILE, { method })))
  const stopped = METHODS.filter((_method, index) => !isOurs(answers[index]))
  if (stopped.length === 0) return { code: 'methodsPass', what: METHODS.join(', ') }
  return { code: 'methodsStopped', what: stopped.join(', ') }
}

async function checkNames({ ask }: ProbeTarget): Promise<Finding> {
  const answer = await ask(`${FILE}${ODD_NAME}`)
  if (isOurs(answer)) return { code: 'namesPass' }
  const lines = ['Apache:  AllowEncodedSlashes NoDecode, and nocanon behind the address of ProxyPass']
  return { code: 'namesStopped', what: answer.outcome, lines }
}

/** Without credentials: every method is refused, by the server itself. Nothing where WebDAV is off. */
async function checkDav({ ask }: ProbeTarget): Promise<Finding[]> {
  if (!/"Dav":\s*true/.test((await ask('/')).text)) return []
  const [options, ...answers] = await Promise.all(['OPTIONS', ...DAV_METHODS].map(method => ask(DAV_FILE, { method })))
  const stopped = DAV_METHODS.filter((_method, index) => !isOurs(answers[index]))
  if (!options?.header('DAV')) stopped.unshift('OPTIONS')
  if (stopped.length === 0) return [{ code: 'davPass', what: DAV_METHODS.join(', ') }]
  const lines = [
    'Apache:  <LimitExcept> and mod_dav off below /dav/',
    'nginx:   no limit_except and no dav_methods below /dav/',
  ]
  return [{ code: 'davStopped', what: stopped.join(', '), lines }]
}

const isOurs = (answer: ProbeResponse | undefined) => typeof answer?.header(OURS) === 'string'
