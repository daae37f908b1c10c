import type { ZodMiniType } from 'zod/mini'
import { type Answer, type Description, type QueryParameter, type Route, statusText } from '../../routing/route.ts'
import { type JsonSchema, type Schemas, translate } from './schemas.ts'
import { TAGS } from './tags.ts'

/** An OpenAPI 3.1 document, as far as this server generates one. */
export interface Document {
  openapi: string
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, JsonSchema> }
}

export interface Operation {
  operationId: string
  summary: string
  /** Who may call it. */
  description: string
  tags: string[]
  /** Empty for calls without a session. */
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, Response>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  description: string
  required: boolean
  schema: JsonSchema
}

export interface Response {
  description: string
  headers?: Record<string, { description: string; schema: JsonSchema }>
  content?: Content
}

type Content = Record<string, { schema: JsonSchema }>

const TEXT = { type: 'string' } as const
const FILE_PATH =
  'A path in the scope of the caller, each name percent-encoded. It may contain slashes; empty means the root.'

const SECURITY: Record<string, JsonSchema> = {
  token: { type: 'apiKey', in: 'header', name: 'X-Auth', description: 'The session token, or an API token.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API token.' },
  basic: { type: 'http', scheme: 'basic', description: 'The name of an account, and an API token of it.' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'auth', description: 'The session token, for reading only.' },
  query: { type: 'apiKey', in: 'query', name: 'auth', description: 'The session token, where a browser opens a link.' },
}

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
  429: 'Too many requests; retry later.',
  460: 'The checksum does not match.',
  501: 'Not supported for this kind of file.',
  503: 'Overloaded; retry later.',
  507: 'The disk is full.',
}

/** Describes every documented route. @param about what differs between installations */
export function describeApi(routes: readonly Route[], about: { baseURL: string; version: string }): Document {
  const calls = routes.flatMap(callsOf)
  const bodies = translate(
    tableOf(calls, ({ route }) => route.schema),
    'input',
  )
  const answers = translate(Object.assign({}, ...calls.map(answerSchemas)), 'output')
  const paths: Document['paths'] = {}
  for (const call of calls) {
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operationOf(call, bodies, answers) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Filigree',
      version: about.version,
      description:
        'Errors are one line of plain text with the status; `X-Error-Code` has a stable code for programs. ' +
        '`X-Renew-Token: true`, on any response, asks for a call of `/api/renew`. ' +
        'A path may be omitted with its slash, which means the root.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.baseURL || '/' }],
    tags: [...new Set(calls.map(({ tag }) => tag))].map(tagOf),
    paths,
    components: { schemas: { ...bodies.components, ...answers.components }, securitySchemes: SECURITY },
  }
}

/** One route with one of its methods. */
interface Call {
  /** Unique in the document. */
  id: string
  method: string
  /** As in the document: `/api/raw/{path}`. */
  path: string
  tag: string
  route: Route
  describes: Description
}

function callsOf(route: Route): Call[] {
  const { describes } = route
  const path = route.path.replace(/\*$/, '{path}').replace(/:(\w+)/g, '{$1}')
  const names = path.match(/[A-Za-z0-9]+/g) ?? []
  const tag = names.find(name => name !== 'api') ?? ''
  return [route.method].flat().map(method => {
    return { id: [method.toLowerCase(), ...names].join('_'), method, path, tag, route, describes }
  })
}

function tableOf(calls: readonly Call[], schemaOf: (call: Call) => ZodMiniType | undefined) {
  const entries = calls.flatMap(call => {
    const schema = schemaOf(call)
    return schema ? [[call.id, schema] as const] : []
  })
  return Object.fromEntries(entries)
}

function answerSchemas({ id, describes }: Call): Record<string, ZodMiniType> {
  const entries = Object.entries(describes.answers).flatMap(([status, { schema }]) =>
    schema ? [[`${id} ${status}`, schema] as const] : [],
  )
  return Object.fromEntries(entries)
}

function operationOf(call: Call, bodies: Schemas, answers: Schemas): Operation {
  const { route, describes, id, tag } = call
  const requestBody = bodyOf(call, bodies)
  return {
    operationId: id,
    summary: describes.summary,
    description: accessOf(route),
    tags: [tag],
    security: route.access === 'public' ? [] : securityOf(call),
    parameters: parametersOf(call),
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(call, answers),
  }
}

function tagOf(name: string): Document['tags'][number] {
  const description = TAGS[name]
  return description === undefined ? { name } : { name, description }
}

/** Who may call a route, and what the audit log has of it, in sentences. */
function accessOf({ access, token, records }: Route): string {
  const sentences = [ACCESS[access]]
  if (token !== undefined)
    sentences.push(token === 'none' ? 'API tokens are refused.' : `An API token needs the scope \`${token}\`.`)
  if (records !== undefined && records !== 'nothing') sentences.push(`The audit log has it as \`${records}\`.`)
  return sentences.join(' ')
}

const ACCESS: Readonly<Record<Route['access'], string>> = {
  public: 'Needs no session.',
  user: 'Needs a session.',
  admin: 'Needs a session of an administrator.',
}

function securityOf({ route, method }: Call): Record<string, string[]>[] {
  const reads = method === 'GET' || method === 'HEAD'
  const apiTokens = route.token === undefined || route.token === 'none' ? [] : [{ bearer: [] }, { basic: [] }]
  return [
    { token: [] },
    ...apiTokens,
    ...(reads ? [{ cookie: [] }] : []),
    ...(reads && route.queryToken ? [{ query: [] }] : []),
  ]
}

function parametersOf({ path, describes }: Call): Parameter[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Parameter => {
    const description = describes.path ?? (name === 'path' ? FILE_PATH : 'The number of the user.')
    return { name, in: 'path', description, required: true, schema: TEXT }
  })
  const inQuery = Object.entries(describes.query ?? {}).map(([name, described]): Parameter => {
    const parameter: QueryParameter = typeof described === 'string' ? { text: described } : described
    const { text, required = false } = parameter
    return { name, in: 'query', description: text, required, schema: schemaOf(parameter) }
  })
  const inHeaders = Object.entries(describes.headers ?? {})
    .filter(([name]) => !NO_PARAMETERS.includes(name))
    .map(([name, description]): Parameter => ({ name, in: 'header', description, required: false, schema: TEXT }))
  return [...inPath, ...inQuery, ...inHeaders]
}

function schemaOf({ type, of }: QueryParameter): JsonSchema {
  if (of !== undefined) return { type: 'string', enum: [...of] }
  if (type === 'date-time') return { type: 'string', format: type }
  return { type: type ?? 'string' }
}

/** Headers that OpenAPI reserves. */
const NO_PARAMETERS: readonly string[] = ['Accept', 'Content-Type', 'Authorization']

function bodyOf({ id, route, describes }: Call, { byKey }: Schemas): Operation['requestBody'] {
  if (route.body === 'raw') return { required: false, content: { [describes.takes ?? '*/*']: { schema: {} } } }
  const schema = byKey[id]
  if (!schema) return undefined
  return { required: route.schema?.safeParse(null).success === false, content: { 'application/json': { schema } } }
}

function responsesOf(call: Call, { byKey }: Schemas): Record<string, Response> {
  const { id, method, describes } = call
  const described = Object.entries(describes.answers).map(([status, answer]) => {
    return [status, responseOf(method, Number(status), answer, byKey[`${id} ${status}`])] as const
  })
  const refusals = refusalsOf(call).map(status => {
    return [String(status), responseOf(method, status, { text: REFUSALS[status] ?? statusText(status) })] as const
  })
  return Object.fromEntries([...refusals, ...described])
}

/** The statuses that a route implies, and those it lists without a description of its own. */
function refusalsOf({ route, path, describes }: Call): number[] {
  const statuses = [
    ...(route.access === 'public' ? [] : [401]),
    ...(route.access === 'admin' ? [403] : []),
    ...(path.endsWith('{path}') && route.access !== 'public' ? [400, 403, 404] : []),
    ...(path.endsWith('{path}') && route.access === 'public' ? [400, 404] : []),
    ...(route.schema ? [413] : []),
    ...(route.schema && !route.misfit ? [400] : []),
    ...(describes.refuses ?? []),
  ]
  return [...new Set(statuses)]
}

/** Statuses that never have a body. */
const WITHOUT_BODY: readonly number[] = [101, 204, 304]

function responseOf(method: string, status: number, answer: Answer, schema?: JsonSchema): Response {
  const headers = Object.entries(answer.headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: TEXT },
  ])
  const hasBody = !WITHOUT_BODY.includes(status) && method !== 'HEAD'
  return {
    description: answer.text,
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    ...(hasBody ? { content: contentOf(answer, schema) } : {}),
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
