import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { createContext } from '../../server/context.ts'
import { describeApi } from '../../server/features/openapi/document.ts'
import { listRoutes } from '../../server/http/routes.ts'
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
const described = callsIn(describeApi(routes, { baseURL: '', version: '1' }))
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
})
