import { type Answer, statusText } from '../../routing/route.ts'
import type { Call } from './calls.ts'
import type { JsonSchema, Schemas } from './schemas.ts'

export interface Response {
  description: string
  headers?: Record<string, Header | { $ref: string }>
  content?: Content
}

export interface Header {
  description: string
  schema: JsonSchema
}

export type Content = Record<string, { schema: JsonSchema }>

/** Headers that many responses have. */
export const HEADERS: Readonly<Record<string, Header>> = {
  ErrorCode: {
    description: 'The error as a stable code, for programs.',
    schema: { $ref: '#/components/schemas/ErrorCode' },
  },
  RenewToken: {
    description: '`true` asks for a call of `/api/renew`: the session token ends soon. API tokens are never renewed.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  Lock: { description: 'The id of the lock that refuses.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds after which to retry.', schema: { type: 'string' } },
}

const ERROR_CODE = { 'X-Error-Code': { $ref: '#/components/headers/ErrorCode' } }
const RENEW_TOKEN = { 'X-Renew-Token': { $ref: '#/components/headers/RenewToken' } }
const HEADERS_OF: Readonly<Record<number, Response['headers']>> = {
  423: { 'X-Lock': { $ref: '#/components/headers/Lock' } },
  429: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
}
const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
const TEXT = { type: 'string' } as const

/** The descriptions of refusals that routes imply without listing them. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The path, the query or the body is invalid; the text names the field.',
  401: 'There is no session.',
  403: 'Permissions or rules do not allow it.',
  404: 'It does not exist.',
  405: 'The method is not allowed.',
  409: 'It exists already, or is of another kind.',
  412: 'The version does not match.',
  413: 'The body is too large.',
  415: 'The content type is not supported.',
  422: 'The content cannot be read.',
  423: 'A lock of another program protects it.',
  429: 'Too many requests; retry later.',
  460: 'The checksum does not match.',
  501: 'Not supported for this kind of file.',
  503: 'Overloaded; retry later.',
  507: 'The disk, or the quota of the folder, is full.',
}

/** Every response of a call by status. */
export function responsesOf(call: Call, { byKey }: Schemas): Record<string, Response> {
  const { id, describes } = call
  const described = Object.entries(describes.answers).map(([status, answer]) => {
    return [status, responseOf(call, Number(status), answer, byKey[`${id} ${status}`])] as const
  })
  const refusals = refusalsOf(call).map(status => {
    return [String(status), responseOf(call, status, { text: REFUSALS[status] ?? statusText(status) })] as const
  })
  return Object.fromEntries([...refusals, ...described])
}

/** The statuses that a route implies, and those it lists without a description of its own. */
function refusalsOf({ route, method, path, describes }: Call): number[] {
  const hasPath = path.endsWith('{path}')
  const changesFiles = hasPath && route.token === 'write' && !READING.includes(method)
  const statuses = [
    ...(route.access === 'public' ? [] : [401]),
    ...(route.access === 'admin' || isNarrowed(route.token) ? [403] : []),
    ...(hasPath && route.access !== 'public' ? [400, 403, 404] : []),
    ...(hasPath && route.access === 'public' ? [400, 404] : []),
    ...(changesFiles ? [423] : []),
    ...(route.schema ? [413] : []),
    ...(route.schema && !route.misfit ? [400] : []),
    ...(describes.refuses ?? []),
  ]
  return [...new Set(statuses)]
}

const READING: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** Whether some API tokens are refused: those without the scope. Every token may read. */
const isNarrowed = (token: Call['route']['token']) => token !== undefined && token !== 'read'

/** Statuses that never have a body. */
const WITHOUT_BODY: readonly number[] = [101, 204, 304]

function responseOf({ method, route }: Call, status: number, answer: Answer, schema?: JsonSchema): Response {
  const own = Object.entries(answer.headers ?? {}).map(([name, description]) => [name, { description, schema: TEXT }])
  const isRefusal = status >= 400
  const headers = {
    ...(isRefusal ? ERROR_CODE : {}),
    ...(!isRefusal && route.access !== 'public' ? RENEW_TOKEN : {}),
    ...HEADERS_OF[status],
    ...Object.fromEntries(own),
  }
  const hasBody = !WITHOUT_BODY.includes(status) && method !== 'HEAD'
  return {
    description: answer.text,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(hasBody ? { content: { ...contentOf(answer, schema), ...(isRefusal ? PROBLEM : {}) } } : {}),
  }
}

function contentOf({ type }: Answer, schema: JsonSchema | undefined): Content {
  const types = [type ?? (schema ? 'application/json' : 'text/plain')].flat()
  const entries = types.map(full => {
    const [name = ''] = full.split(';')
    if (name === 'application/json') return [name, { schema: schema ?? {} }]
    return [name, { schema: name.startsWith('text/') ? TEXT : {} }]
  })
  return Object.fromEntries(entries)
}
