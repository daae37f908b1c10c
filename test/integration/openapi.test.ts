import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { createContext } from '../../server/context.ts'
import { describeApi } from '../../server/features/openapi/document.ts'
import { listRoutes } from '../../server/http/routes.ts'
import { PERMISSIONS } from '../../shared/permissions.ts'
import { CONTRACT, type ContractRow } from '../api/contract.ts'
import { callsIn } from '../api/description.ts'
import { makeHome } from '../api/harness.ts'

const home = await makeHome()
const flags = ['--root', join(home, 'srv'), '--database', join(home, 'f.db'), '--log', join(home, 'log')]
const context = await createContext(readConfig([...flags, '--disableExec=false', '--execSandbox=none'], {}))
afterAll(async () => {
  await context.close()
  await rm(home, { recursive: true, force: true })
})

const routes = listRoutes(context)
const document = describeApi(routes, { baseURL: '', version: '1' })
const described = callsIn(document)
const calls = routes.flatMap(route =>
  [route.method].flat().map(method => {
    const path = route.path.replace(/\*$/, '{path}').replace(/:(\w+)/g, '{$1}')
    return { name: `${method} ${path}`, route }
  }),
)
const statusesOf = (name: string) => {
  const found = described.find(({ method, path }) => `${method} ${path}` === name)
  return Object.keys(found?.operation.responses ?? {}).map(Number)
}

const nameIn = ({ method, route }: ContractRow) =>
  `${method} ${route.replace(/\*$/, '{path}').replace(/:(\w+)/g, '{$1}')}`

/** Names of fields that hold a time wherever they occur. */
const TIMES = [
  'modified',
  'created',
  'time',
  'runAt',
  'started',
  'ended',
  'until',
  'since',
  'deleted',
  'replaced',
  'seen',
  'lastDelivery',
  'failingSince',
  'settled',
]

/** Calls whose purpose is to report why they are refused. */
const NEVER_WELL: readonly string[] = ['GET /api/preview/{path}', 'HEAD /api/preview/{path}']

describe('the description of the API', () => {
  test('names every call of the route list and no other', () => {
    expect(described.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      calls.map(({ name }) => name).sort(),
    )
  })

  const endingWell = calls.map(({ name }) => name).filter(name => !NEVER_WELL.includes(name))
  test.each(endingWell)('describes the success of %s', name => {
    expect(statusesOf(name).filter(status => status < 300 || status === 302)).not.toEqual([])
  })

  test.each(calls.filter(({ route }) => route.access !== 'public').map(({ name }) => name))(
    'describes that %s is refused without a session',
    name => {
      expect(statusesOf(name)).toContain(401)
    },
  )

  test.each(calls.filter(({ route }) => route.access === 'admin').map(({ name }) => name))(
    'describes that %s is for administrators',
    name => {
      expect(statusesOf(name)).toContain(403)
    },
  )

  test.each(calls.filter(({ route }) => route.schema).map(({ name, route }) => [name, route.misfit ? 403 : 400]))(
    'lists that %s refuses an invalid body with %i where it reads one, and a large one with 413',
    (name, status) => {
      expect(statusesOf(String(name))).toEqual(expect.arrayContaining([status, 413]))
    },
  )

  test.each(calls.filter(({ route }) => route.path.endsWith('*')).map(({ name }) => name))(
    'describes that %s refuses odd paths and reports missing files',
    name => {
      expect(statusesOf(name)).toEqual(expect.arrayContaining([400, 404]))
    },
  )

  test('describes every parameter', () => {
    const silent = described.flatMap(({ operation }) => operation.parameters.filter(({ description }) => !description))
    expect(silent).toEqual([])
  })

  // Addresses outside the API, and one row for several calls, have statuses that no single call has.
  const rows = CONTRACT.map(row => ({ ...row, name: nameIn(row) })).filter(({ name }) => !NEVER_WELL.includes(name))
  const single = rows.filter(row => calls.some(({ name }) => name === row.name))
  test.each(single.map(({ name, statuses }) => [name, statuses] as const))(
    'lists for %s every status that clients get',
    (name, statuses) => {
      expect(statusesOf(name)).toEqual(expect.arrayContaining([...statuses]))
    },
  )

  test('has a code in every refusal, and its form for clients that accept problem details', () => {
    const refusals = described.flatMap(({ method, path, operation }) =>
      Object.entries(operation.responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, response]) => ({ name: `${method} ${path} ${status}`, method, response })),
    )
    const silent = refusals.filter(
      ({ method, response }) =>
        response.headers?.['X-Error-Code'] === undefined ||
        (method !== 'HEAD' && response.content?.['application/problem+json'] === undefined),
    )
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  test('has the renewal of the token in every success of a call with a session', () => {
    const silent = described.flatMap(({ operation }) => {
      const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400)
      const isSilent = successes.some(([, { headers }]) => headers?.['X-Renew-Token'] === undefined)
      return operation.security.length > 0 && isSilent ? [operation.operationId] : []
    })
    expect(silent).toEqual([])
  })

  test('distinguishes files from folders by one field', () => {
    const { Resource, FileResource, FolderResource } = document.components.schemas
    const kindOf = (schema: unknown) => Object(schema).properties.isDir.const
    expect(Resource?.oneOf).toEqual([
      { $ref: '#/components/schemas/FolderResource' },
      { $ref: '#/components/schemas/FileResource' },
    ])
    expect([kindOf(FolderResource), kindOf(FileResource)]).toEqual([true, false])
  })

  test('names every permission', () => {
    const { Permissions } = document.components.schemas
    expect(Object.keys(Object(Permissions?.properties))).toEqual([...PERMISSIONS])
    expect(Permissions?.required).toEqual([...PERMISSIONS])
  })

  test('says of every array what is in it', () => {
    const found: string[] = []
    const look = (value: unknown, place: string) => {
      if (typeof value !== 'object' || value === null) return
      const { type, items } = Object(value)
      if (type === 'array' && items === undefined) found.push(place)
      for (const [key, inner] of Object.entries(value)) look(inner, `${place}/${key}`)
    }
    look([document.components.schemas, document.paths], '')
    expect(found).toEqual([])
  })

  test('has the format of every time', () => {
    const found: string[] = []
    const look = (value: unknown, name: string) => {
      if (typeof value !== 'object' || value === null) return
      const { type, format } = Object(value)
      if (TIMES.includes(name) && type === 'string' && format !== 'date-time') found.push(name)
      for (const [key, inner] of Object.entries(value)) look(inner, key === 'anyOf' || /^\d+$/.test(key) ? name : key)
    }
    look([document.components.schemas, document.paths], '')
    // The times of a listing in rows are joined in one text, which has no schema in JSON.
    expect(found).toEqual([])
  })
})
