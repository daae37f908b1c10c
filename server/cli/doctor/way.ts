import { AppError } from '../../errors.ts'
import type { Finding } from './finding.ts'

/** Milliseconds an answer may take. */
const PATIENCE = 20_000
/** Bytes that a proxy has to let through: more than the 1 MiB of nginx's habit. */
const BODY = 4 * 1024 * 1024
/** Milliseconds that two clocks may differ. */
const SKEW = 30_000
/** Is in every refusal of ours, so that one of a proxy is known (docs/decisions/0006). */
const OURS = 'X-Error-Code'

/** Looks through an address as a browser would: is it ours, and does what stands before it let everything through? */
export async function lookThrough(address: string): Promise<Finding[]> {
  const url = addressOf(address)
  const health = await ask(`${url}/health`)
  if (health.status !== 200 || !health.text.includes('"OK"')) {
    const lines = ['Is the server started, and does the proxy send this path to it?']
    return [{ about: 'address', state: 'wrong', seen: `${url}/health answers ${health.said}`, lines }]
  }
  const looks = [lookAtBase, lookAtBodies, lookAtMethods, lookAtNames]
  const findings = await Promise.all(looks.map(look => look(url)))
  return [
    { about: 'address', state: 'fine', seen: `${url} answers` },
    lookAtScheme(url),
    lookAtClock(health),
    ...findings,
  ]
}

/** @throws AppError `bad_request` for what is no address */
function addressOf(text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
  throw new AppError('bad_request', `An address looks like https://files.example.org/base, not '${text}'.`)
}

interface Said {
  status: number
  text: string
  /** The status, or why there is none. */
  said: string
  /** Whether a refusal is one of ours. */
  ours: boolean
  /** Milliseconds since the epoch by the clock over there. */
  date: number
}

async function ask(url: string, how: RequestInit = {}): Promise<Said> {
  try {
    const answer = await fetch(url, { ...how, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) })
    const text = await answer.text()
    const date = Date.parse(answer.headers.get('Date') ?? '')
    return { status: answer.status, text, said: String(answer.status), ours: answer.headers.has(OURS), date }
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    const said = `nothing (${cause instanceof Error ? cause.message : String(cause)})`
    return { status: 0, text: '', said, ours: false, date: Number.NaN }
  }
}

function lookAtScheme(url: string): Finding {
  const { protocol, hostname } = new URL(url)
  const isNear = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]'
  if (protocol === 'https:') return { about: 'encryption', state: 'fine', seen: 'the way is encrypted' }
  if (isNear) return { about: 'encryption', state: 'fine', seen: 'the way does not leave this machine' }
  const seen = 'passwords and files go over the network in plain text'
  return {
    about: 'encryption',
    state: 'wrong',
    seen,
    lines: ['Start with --cert and --key, or offer HTTPS by a reverse proxy.'],
  }
}

function lookAtClock({ date }: Said): Finding {
  const off = Math.round(Math.abs(Date.now() - date) / 1000)
  if (Number.isNaN(date)) return { about: 'clock', state: 'worth a look', seen: 'the answers tell no time' }
  if (off * 1000 <= SKEW) return { about: 'clock', state: 'fine', seen: 'the clocks agree' }
  const seen = `the clock over there differs by ${off} seconds; sessions and links end at the wrong time`
  return { about: 'clock', state: 'wrong', seen, lines: ['timedatectl set-ntp true'] }
}

async function lookAtBase(url: string): Promise<Finding> {
  const about = 'base path'
  const wanted = new URL(`${url}/`).pathname.replace(/\/$/, '')
  const { text, said } = await ask(`${url}/`)
  const told = /"BaseURL":\s*"([^"]*)"/.exec(text)?.[1]
  if (told === wanted) return { about, state: 'fine', seen: `pages know that they lie under ${wanted || '/'}` }
  const seen =
    told === undefined ? `${url}/ answers ${said}, no page of ours` : `pages think they lie under ${told || '/'}`
  return { about, state: 'wrong', seen, lines: [`Start with --baseURL ${wanted || "''"}`] }
}

async function lookAtBodies(url: string): Promise<Finding> {
  const about = 'uploads'
  const { ours, said } = await ask(`${url}/api/resources/doctor`, { method: 'POST', body: Buffer.alloc(BODY) })
  if (ours) return { about, state: 'fine', seen: `bodies of ${BODY / 1024 ** 2} MiB come through` }
  const seen = `a body of ${BODY / 1024 ** 2} MiB does not come through: ${said}`
  const lines = ['nginx:   client_max_body_size 0; proxy_request_buffering off;', 'Apache:  LimitRequestBody 0']
  return { about, state: 'wrong', seen, lines }
}

async function lookAtMethods(url: string): Promise<Finding> {
  const about = 'methods'
  const methods = ['PUT', 'PATCH', 'DELETE']
  const answers = await Promise.all(methods.map(method => ask(`${url}/api/resources/doctor`, { method })))
  const stopped = methods.filter((_method, index) => !answers[index]?.ours)
  if (stopped.length === 0) return { about, state: 'fine', seen: `${methods.join(', ')} come through` }
  const lines = ['Allow every method in the proxy, or in the firewall before it.']
  return { about, state: 'wrong', seen: `${stopped.join(', ')} do not come through`, lines }
}

async function lookAtNames(url: string): Promise<Finding> {
  const about = 'names'
  const { ours, said } = await ask(`${url}/api/resources/doctor%2Fa%20%25%3F`)
  if (ours) return { about, state: 'fine', seen: 'names with any signs come through' }
  const lines = ['Apache:  AllowEncodedSlashes NoDecode, and nocanon behind the address of ProxyPass']
  return { about, state: 'wrong', seen: `an encoded name does not come through: ${said}`, lines }
}
