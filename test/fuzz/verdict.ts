import type { Instance } from '../api/harness.ts'
import type { Attempt } from './attempt.ts'
import { bytesOf, type Outcome, PATIENCE } from './send.ts'

/** Texts that must not leak to clients. */
const INSIDES = /\n\s+at \S+ ?\(?\S*:\d+:\d+|node:internal|node_modules|\bTypeError\b|\bSqliteError\b/

/** Validates JSON against the description; see `judgeOf`. */
type Judge = (name: string, status: number, body: unknown) => string[]

/** What is wrong with an outcome, `undefined` when nothing is. */
export function findFault(attempt: Attempt, { answer, hangs }: Outcome, judge: Judge): string | undefined {
  if (hangs) return `no end within ${PATIENCE} ms`
  if (!answer?.status)
    return attempt.cut || isUnreadable(attempt) ? undefined : 'the connection ended without an answer'
  const { status, headers, body } = answer
  const { responses } = attempt.call.operation
  if (status === 500 || (status > 500 && !(status in responses))) return `an answer of ${status}`
  const isText = /^(text|application\/json)/.test(headers['content-type'] ?? '')
  if (isText && status >= 400 && INSIDES.test(body.toString('latin1'))) return 'the insides of the program'
  if (attempt.target.startsWith('/api') && isPage(attempt, status, headers['content-type'], body))
    return 'a page under /api'
  if (status === 200 && attempt.method === attempt.call.method && isJsonOf(attempt, headers['content-type'])) {
    return misshape(attempt, body, judge)
  }
  return undefined
}

/** Input that is no HTTP may lose its response when the rest of it is still on its way. */
const isUnreadable = ({ method, body }: Attempt) => !/^[A-Z]+$/.test(method) && body !== undefined

/** Stored content may be a user's own page; nothing else may. */
function isPage({ call }: Attempt, status: number, type = '', body: Buffer): boolean {
  if (body.includes('id="app-config"')) return true
  const sendsContent = '*/*' in (call.operation.responses['200']?.content ?? {})
  return body.length > 0 && type.startsWith('text/html') && (status >= 400 || !sendsContent)
}

const isJsonOf = ({ call, target }: Attempt, type = '') =>
  type.startsWith('application/json') &&
  call.path !== '/api/openapi.json' &&
  target.startsWith(call.path.replace(/\{.*/, '')) &&
  (call.path.includes('/recursive/') || !target.startsWith('/api/resources/recursive')) &&
  'application/json' in (call.operation.responses['200']?.content ?? {})

function misshape({ call, method }: Attempt, body: Buffer, judge: Judge): string | undefined {
  const faults = judge(`${method} ${call.path}`, 200, JSON.parse(body.toString()))
  return faults.length > 0 ? `an answer of another shape: ${faults.join('; ')}` : undefined
}

/** How to reproduce a fault. */
export function reproduction(
  instance: Instance,
  seed: number,
  attempt: Attempt,
  fault: string,
  outcome: Outcome,
): string {
  const { index, who, method, target, headers, body } = attempt
  const quote = (text: string) => `$'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'")}'`
  const token = who === 'nobody' ? [] : [['X-Auth', `the token of ${who}`] as const]
  const flags = [...token, ...headers].map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  const data = body ? [`--data-binary ${quote(body.toString('latin1').slice(0, 4000))}`] : []
  return [
    `${fault} (seed ${seed}, request ${index}, as ${who})`,
    ['curl -i --path-as-is -X', method, ...flags, ...data, quote(instance.url + target)].join(' '),
    `sent: ${bytesOf(instance, { ...attempt, body: undefined }, who === 'nobody' ? undefined : '...')
      .toString('latin1')
      .slice(0, 1000)}`,
    `came: ${outcome.answer?.bytes.toString('latin1').slice(0, 1000) ?? 'nothing'}`,
  ].join('\n')
}
