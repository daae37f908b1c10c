import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../../server/config.ts'
import { createContext } from '../../server/context.ts'
import { type Document, describeApi, type Operation } from '../../server/features/openapi/document.ts'
import { listRoutes } from '../../server/http/routes.ts'
import { makeHome } from '../api/harness.ts'

/** The generated types of the client. */
export const CLIENT_TYPES = join(import.meta.dirname, '../../client/types.gen.ts')

/** The description of a server with every route. */
export async function wholeDescription(): Promise<Document> {
  const home = await makeHome()
  const place = ['--root', join(home, 'srv'), '--database', join(home, 'f.db'), '--log', join(home, 'log')]
  const context = await createContext(readConfig([...place, '--disableExec=false', '--execSandbox=none'], {}))
  try {
    return describeApi(listRoutes(context), { baseURL: '', version: '' })
  } finally {
    await context.close()
    await rm(home, { recursive: true, force: true })
  }
}

/** The schemas of a description as TypeScript: the named ones, and bodies and responses in JSON by call. */
export function clientTypes({ components, paths }: Document): string {
  const named = Object.entries(components.schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)}\n`)
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  )
  return [
    '// Written by test/docs/write-client-types.ts from the description of the API.\n',
    ...named.sort(),
    table('Bodies', 'Bodies of requests in JSON, by call.', calls, bodyOf),
    table('Answers', 'Bodies of successful responses in JSON, by call.', calls, answerOf),
  ].join('\n')
}

type Calls = readonly (readonly [string, Operation])[]

function table(name: string, about: string, calls: Calls, schemaOf: (operation: Operation) => unknown): string {
  const lines = calls.flatMap(([call, operation]) => {
    const schema = schemaOf(operation)
    return schema === undefined ? [] : [`  '${call}': ${typeOf(schema)}\n`]
  })
  return `/** ${about} */\nexport interface ${name} {\n${lines.join('')}}\n`
}

const JSON_TYPE = 'application/json'
const bodyOf = ({ requestBody }: Operation) => requestBody?.content[JSON_TYPE]?.schema
const answerOf = ({ responses }: Operation) =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content?.[JSON_TYPE]?.schema

/** A JSON schema as a TypeScript type. */
function typeOf(schema: unknown): string {
  const { $ref, enum: values, const: value, anyOf, oneOf, type, items, prefixItems } = Object(schema)
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  if (value !== undefined) return JSON.stringify(value)
  if (Array.isArray(values)) return values.map(each => JSON.stringify(each)).join(' | ')
  const choices: unknown[] | undefined = anyOf ?? oneOf
  if (choices) return choices.map(typeOf).join(' | ')
  if (Array.isArray(type)) return type.map(each => typeOf({ ...Object(schema), type: each })).join(' | ')
  if (Array.isArray(prefixItems)) return `[${prefixItems.map(typeOf).join(', ')}]`
  if (type === 'array') return `Array<${typeOf(items)}>`
  if (type === 'object') return objectOf(Object(schema))
  if (type === 'integer') return 'number'
  return typeof type === 'string' ? type : 'unknown'
}

function objectOf({ properties, required = [], additionalProperties }: Record<string, unknown>): string {
  if (!properties)
    return additionalProperties ? `{ [name: string]: ${typeOf(additionalProperties)} }` : 'Record<string, never>'
  const needed: unknown[] = Array.isArray(required) ? required : []
  const fields = Object.entries(Object(properties)).map(([name, field]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    return `${key}${needed.includes(name) ? '' : '?'}: ${typeOf(field)}`
  })
  return `{ ${fields.join('; ')} }`
}
