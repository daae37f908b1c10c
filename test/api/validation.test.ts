import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../server/features/openapi/schemas.ts'
import { MAX_JOB_BODY } from '../../shared/api/jobs.ts'
import { send } from './accounts.ts'
import { signIn } from './client.ts'
import { callsIn, readDescription } from './description.ts'
import { openInstance } from './instance.ts'
import { head, openSocket, parse, readAll } from './raw.ts'

const wire = await openInstance()
const token = await signIn(wire)
const document = await readDescription(wire)

/** Calls whose body may list the paths of a very large selection. */
const LARGE = [
  '/api/jobs',
  '/api/conflicts',
  '/api/trash/restore',
  '/api/trash/conflicts',
  '/api/trash/purge',
  '/api/changes/1/undo',
  '/api/rename/facts',
]

type Step = string | number
interface Field {
  /** As in an error: `data.rules[0].path`. */
  name: string
  path: Step[]
  schema: JsonSchema
}

/** Resolves a schema: references, and alternatives to `null`. */
function resolve(schema: JsonSchema): JsonSchema {
  const { $ref, anyOf } = schema
  if (typeof $ref === 'string') return resolve(document.components.schemas[$ref.split('/').pop() ?? ''] ?? {})
  const choices = Array.isArray(anyOf) ? anyOf.filter(choice => choice.type !== 'null') : []
  return choices.length === 1 ? resolve(choices[0]) : schema
}

/** Every field of a body, at any depth, with its path. */
function fieldsOf(schema: JsonSchema, path: Step[] = [], name = ''): Field[] {
  const { properties, items } = resolve(schema)
  const inner = Object.entries(Object(properties)).flatMap(([key, field]) =>
    fieldsOf(Object(field), [...path, key], name ? `${name}.${key}` : key),
  )
  const element = items ? fieldsOf(Object(items), [...path, 0], `${name}[0]`) : []
  return [{ name: name || 'body', path, schema: resolve(schema) }, ...inner, ...element]
}

/** A body with one value at one path, and the fields required with it. */
function bodyWith(schema: JsonSchema, path: readonly Step[], value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  const { properties, items } = resolve(schema)
  if (typeof step === 'number') return [bodyWith(Object(items), rest, value)]
  const fields = Object(properties)
  return { ...leastOf(schema), [step]: bodyWith(Object(fields[step]), rest, value) }
}

/** The minimal valid value. */
function leastOf(given: JsonSchema): Record<string, unknown> {
  const { properties, required } = resolve(given)
  const names: string[] = Array.isArray(required) ? required : []
  return Object.fromEntries(names.map(name => [name, exampleOf(resolve(Object(Object(properties)[name])))]))
}

function exampleOf(field: JsonSchema): unknown {
  if (field.const !== undefined) return field.const
  if (Array.isArray(field.enum)) return field.enum[0]
  if (field.type === 'string') return field.format === 'date-time' ? '2030-01-02T03:04:05Z' : 'x'
  if (field.type === 'integer') return 1
  if (field.type === 'boolean') return false
  return field.type === 'array' ? [exampleOf(resolve(Object(field.items)))] : leastOf(field)
}

/** More than the maximum body size. */
const TOO_LONG = 2 ** 20

const WRONG = [false, 'wrong', 1.5, [], {}, 2 ** 60] as const
const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: value => typeof value === 'string',
  boolean: value => typeof value === 'boolean',
  number: value => typeof value === 'number',
  integer: value => Number.isSafeInteger(value),
  array: Array.isArray,
  object: value => typeof value === 'object' && !Array.isArray(value),
}

/** Invalid values for a field. */
function wrongFor({ anyOf, type, maxLength, maxItems, maximum, minimum, enum: values }: JsonSchema): unknown[] {
  const choices = Array.isArray(anyOf) ? anyOf.map(choice => choice.type) : [type].flat()
  return [
    ...WRONG.filter(value => !choices.some(kind => KINDS[String(kind)]?.(value))),
    ...(typeof maxLength === 'number' && maxLength < 10_000 ? ['x'.repeat(maxLength + 1)] : []),
    ...(typeof maxItems === 'number' && maxItems < 200 ? [new Array(maxItems + 1).fill({})] : []),
    ...(typeof maximum === 'number' ? [maximum + 1] : []),
    ...(typeof minimum === 'number' ? [minimum - 1] : []),
    ...(Array.isArray(values) ? ['none of them'] : []),
  ]
}

const bodies = callsIn(document).flatMap(({ method, path, operation }) => {
  const schema = operation.requestBody?.content['application/json']?.schema
  if (!schema || path === '/api/login' || path === '/api/signup') return []
  return [{ method, path: path.replace('{path}', '').replace('{id}', '1'), schema }]
})

describe.each(bodies)('$method $path', ({ method, path, schema }) => {
  test.each(fieldsOf(schema))('refuses invalid values of $name, and names it', async field => {
    const wrong = wrongFor(field.schema)
    expect(wrong.length).toBeGreaterThan(0)
    for (const value of wrong) {
      const text = JSON.stringify(bodyWith(schema, field.path, value))
      const answer = await send(wire, method, path, token, text)
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(`400 Bad Request (${field.name}`)])
    }
  })

  test('refuses invalid JSON, and excessive nesting', async () => {
    for (const text of ['{', 'x', '{"a":1}x', '\u0000', '[1,]', '{"__proto__":1}']) {
      const answer = await send(wire, method, path, token, text)
      expect([answer.status, answer.text]).toEqual([400, '400 Bad Request (body: is not JSON)\n'])
    }
    const deep = '['.repeat(100) + ']'.repeat(100)
    expect((await send(wire, method, path, token, deep)).status).toBe(400)
  })

  test('HTTP-09 refuses bodies beyond its limit with 413', async () => {
    const long = JSON.stringify({ more: 'x'.repeat(LARGE.includes(path) ? MAX_JOB_BODY : TOO_LONG) })
    expect((await send(wire, method, path, token, long)).status).toBe(413)
  })
})

describe('an invalid body', () => {
  test.each(['[]', '{}', '"x"', '{"username":1,"password":"x"}', '{', ''])(
    'is 403 for signing in, like wrong credentials: %s',
    async body => {
      const answer = await send(wire, 'POST', '/api/login', undefined, body)
      expect([answer.status, answer.text]).toEqual([403, '403 Forbidden\n'])
    },
  )

  test('of a field with a hostile name injects no line', async () => {
    const body = JSON.stringify({ commands: { 'x\r\ny\u2028<b>': 1 } })
    const { status, text } = await send(wire, 'PUT', '/api/settings', token, body)
    expect(status).toBe(400)
    expect(text).toMatch(/^400 Bad Request \([ -~]*\)\n$/)
  })

  test('is ignored where no body is read', async () => {
    const answer = await send(wire, 'POST', '/api/renew', token, '{')
    expect(answer.status).toBe(200)
  })
})

test('a body that is too long may be sent to its end, so that the response arrives', async () => {
  const socket = await openSocket(wire)
  const part = Buffer.alloc(256 * 1024, 'x')
  const headers = { 'Content-Length': String(4 * part.length) }
  socket.write(head(wire, { method: 'POST', target: `${wire.base}/api/login`, headers }))
  socket.write(part)
  // The response has been sent, but is still unread.
  await once(socket, 'readable')
  for (let sent = 1; sent < 4; sent += 1) {
    await new Promise(resolve => void socket.write(part, resolve))
  }
  expect(parse(await readAll(socket)).status).toBe(413)
})

describe('an unknown field', () => {
  test('is ignored', async () => {
    const body = { password: 'x', expires: '1', more: { deep: [1] } }
    expect((await send(wire, 'POST', '/api/share/', token, body)).status).toBe(200)
  })
})

describe('an invalid query', () => {
  test.each([
    ['PATCH', '/api/resources/x?action=copy', 'destination'],
    ['PATCH', '/api/resources/x?action=fly&destination=y', 'action'],
    ['GET', '/api/raw/?algo=rar', 'algo'],
    ['GET', `/api/search/?query=${'x'.repeat(2000)}`, 'query'],
    ['POST', '/api/share/?expires=soon', 'expires'],
  ])('is refused by %s %s, which names %s', async (method, path, field) => {
    const { status, text } = await send(wire, method, path, token)
    expect([status, text]).toEqual([400, expect.stringContaining(field)])
  })
})
