import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { manager, newcomer, send } from './accounts.ts'
import { call, json } from './client.ts'
import { callsIn, judgeOf, readDescription } from './description.ts'
import { corner, openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await manager(wire)
const { path: folder, disk } = await corner(wire)
await mkdir(join(disk, 'inner'))
await writeFile(join(disk, 'a.txt'), 'alpha')
await writeFile(join(disk, 'film.mp4'), 'no film')
await writeFile(join(disk, 'film.srt'), '1\n00:00:01,000 --> 00:00:02,000\nHello\n')
const { id } = await newcomer(wire, admin, { rules: [{ regex: true, allow: false, path: '', regexp: { raw: 'x' } }] })
const link = json(await send(wire, 'POST', `/api/share${folder}/`, admin.token, { password: 'open' }))
const document = await readDescription(wire)
const judge = judgeOf(document)

describe('the description of the API', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate({ ...document })
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    expect(document.openapi).toMatch(/^3\.1\./)
  })

  test('names the base URL of its calls', () => {
    expect(document.servers).toEqual([{ url: wire.base || '/' }])
  })

  test('is JSON that is not cached', async () => {
    const { headers } = await call(wire, '/api/openapi.json')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-cache, no-store, must-revalidate')
  })

  test('has a unique name for every call', () => {
    const names = callsIn(document).map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
  })

  test('says who may call each operation, and what each group of calls is about', () => {
    const calls = callsIn(document).map(({ operation }) => operation)
    expect(calls.filter(({ description }) => !description).map(({ operationId }) => operationId)).toEqual([])
    expect(calls.filter(({ security }) => security === undefined)).toEqual([])
    expect(document.tags.filter(({ description }) => description === undefined)).toEqual([])
  })

  test('has the types of parameters: booleans, numbers, times, and lists of values', () => {
    const parameters = callsIn(document).flatMap(({ operation }) => operation.parameters)
    const inQuery = parameters.filter(parameter => parameter.in === 'query')
    const untyped = inQuery.filter(
      ({ description, schema }) =>
        (description.startsWith('`true`') && schema.type !== 'boolean') ||
        (description.includes('RFC 3339') && schema.format !== 'date-time'),
    )
    expect(untyped.map(({ name }) => name)).toEqual([])
    const schemaOf = (name: string) => inQuery.find(parameter => parameter.name === name)?.schema
    expect(schemaOf('limit')).toEqual({ type: 'integer' })
    expect(schemaOf('unit')).toEqual({ type: 'string', enum: ['seconds', 'minutes', 'hours', 'days'] })
  })
})

describe('a real response has the described shape', () => {
  test.each([
    ['GET /api/resources/{path}', `/api/resources${folder}/`],
    ['GET /api/resources/{path}', `/api/resources${folder}/a.txt`],
    ['GET /api/resources/{path}', `/api/resources${folder}/a.txt?checksum=sha256`],
    ['GET /api/resources/{path}', `/api/resources${folder}/film.mp4`],
    ['GET /api/resources/recursive/{path}', `/api/resources/recursive${folder}/`],
    ['GET /api/usage/{path}', `/api/usage${folder}/`],
    ['GET /api/sizes/{path}', `/api/sizes${folder}/`],
    ['GET /api/search/{path}', `/api/search${folder}/?query=a`],
    ['GET /api/shares', '/api/shares'],
    ['GET /api/share/{path}', `/api/share${folder}`],
    ['GET /api/users', '/api/users'],
    ['GET /api/users/{id}', `/api/users/${id}`],
    ['GET /api/settings', '/api/settings'],
    ['GET /api/why', '/api/why?path=/&action=share'],
    ['GET /api/audit', '/api/audit?limit=5'],
    ['GET /api/doctor', '/api/doctor'],
    ['GET /api/doctor/files', '/api/doctor/files'],
    ['GET /api/doctor/settings', '/api/doctor/settings'],
    ['GET /api/public/share/{path}', `/api/public/share/${link.hash}/`],
    ['GET /api/public/share/{path}', `/api/public/share/${link.hash}/a.txt`],
  ])('%s at %s', async (name, path) => {
    const answer = await call(wire, path, { token: admin.token, headers: { 'X-SHARE-PASSWORD': 'open' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(judge(name, 200, json(answer))).toEqual([])
  })

  test('POST /api/share/{path}', () => {
    expect(judge('POST /api/share/{path}', 200, link)).toEqual([])
  })

  test('a wrong shape is detected', () => {
    expect(judge('GET /api/usage/{path}', 200, { total: '1', used: 1 })).not.toEqual([])
    expect(judge('GET /api/usage/{path}', 200, { total: 1, used: 1, more: 1 })).not.toEqual([])
  })
})

describe('the page for readers', () => {
  const page = () => call(wire, '/docs/api')

  test('names every call and leads to the document', async () => {
    const { status, text } = await page()
    expect(status).toBe(200)
    const ids = callsIn(document).map(({ operation }) => `<article id="${operation.operationId}">`)
    expect(ids.filter(id => !text.includes(id))).toEqual([])
    expect(text).toContain(`href="${wire.base}/api/openapi.json"`)
  })

  test('has no script, and allows none', async () => {
    const { headers, text } = await page()
    expect(text).not.toContain('<script')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-\S+';/)
  })
})
