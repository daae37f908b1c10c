import type { ZodMiniType } from 'zod/mini'
import type { QueryParameter, Route } from '../../routing/route.ts'
import { type Call, callsOf } from './calls.ts'
import { curlOf } from './examples/curl.ts'
import { type Content, HEADERS, type Header, type Response, responsesOf } from './responses.ts'
import { ALWAYS_NAMED, type JsonSchema, type Schemas, translate } from './schemas.ts'
import { TAGS } from './tags.ts'

/** An OpenAPI 3.1 document, as far as this server generates one. */
export interface Document {
  openapi: string
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    headers: Record<string, Header>
    securitySchemes: Record<string, JsonSchema>
  }
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
  /** An example for a shell with `URL` and `TOKEN`. */
  'x-codeSamples'?: { lang: string; label: string; source: string }[]
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  description: string
  required: boolean
  schema: JsonSchema
}

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

/** Describes every documented route. @param about what differs between installations */
export function describeApi(routes: readonly Route[], about: { baseURL: string; version: string }): Document {
  const calls = routes.flatMap(callsOf)
  const bodies = translate(
    tableOf(calls, ({ route }) => route.schema),
    'input',
  )
  const answers = translate(Object.assign({}, ALWAYS_NAMED, ...calls.map(answerSchemas)), 'output')
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
        'A client that accepts `application/problem+json` gets them in that form (RFC 9457). ' +
        '`X-Renew-Token: true`, on any response, asks for a call of `/api/renew`. ' +
        'A path may be omitted with its slash, which means the root. ' +
        'Examples are for a shell: `URL` is the address of this server, `TOKEN` a session token or an API token; ' +
        'words such as `JOB_ID` stand for values of earlier responses. ' +
        'Any call may end with 500 or 503.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.baseURL || '/' }],
    tags: [...new Set(calls.map(({ tag }) => tag))].map(tagOf),
    paths,
    components: {
      schemas: { ...bodies.components, ...answers.components },
      headers: HEADERS,
      securitySchemes: SECURITY,
    },
  }
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
  const curl = curlOf({ ...call, isPublic: route.access === 'public' })
  return {
    operationId: id,
    summary: describes.summary,
    description: accessOf(route),
    tags: [tag],
    security: route.access === 'public' ? [] : securityOf(call),
    parameters: parametersOf(call),
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(call, answers),
    ...(curl === undefined ? {} : { 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curl }] }),
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
