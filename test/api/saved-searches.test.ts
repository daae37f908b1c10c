import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../server/limits.ts'
import type { SavedSearch } from '../../shared/api/saved-searches.ts'
import { call, json, type Person, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { openInstance } from './instance.ts'
import { enrol, PASSWORD } from './people.ts'

const wire = await openInstance()
const [annas, bens, manys] = [uniqueName('anna'), uniqueName('ben'), uniqueName('many')]
await enrol(
  wire,
  [annas, bens, manys].map(name => ({ name, may: [] })),
)
const anna = await person(wire, annas, PASSWORD)
const ben = await person(wire, bens, PASSWORD)

const send = (who: Person, method: string, path: string, body?: object) =>
  call(wire, path, {
    method,
    token: who.token,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
const save = (who: Person, body: object) => send(who, 'POST', '/api/searches', body)
const searches = async (who: Person): Promise<SavedSearch[]> => json(await send(who, 'GET', '/api/searches')).items

describe('a saved search', () => {
  test('is listed, renamed and removed by its user', async () => {
    const first = await save(anna, { name: ' Large films ', query: 'type:video size:>1GB' })
    expect(first.status).toBe(201)
    const search = json(first) as SavedSearch
    expect(search).toEqual({
      id: search.id,
      name: 'Large films',
      query: 'type:video size:>1GB',
      folder: '/',
      everywhere: false,
      inContents: false,
    })
    const other = { name: 'x', query: 'fox', folder: '/a b/c', everywhere: true, inContents: true }
    const second = json(await save(anna, other)) as SavedSearch
    expect(second).toMatchObject(other)
    expect(await searches(anna)).toEqual([search, second])
    const renamed = await send(anna, 'PATCH', `/api/searches/${search.id}`, { name: 'Films' })
    expect([renamed.status, json(renamed)]).toEqual([200, { ...search, name: 'Films' }])
    expect((await send(anna, 'DELETE', `/api/searches/${second.id}`)).status).toBe(204)
    expect((await send(anna, 'DELETE', `/api/searches/${second.id}`)).status).toBe(404)
    expect(await searches(anna)).toEqual([{ ...search, name: 'Films' }])
  })

  test('is unknown to other users', async () => {
    const { id } = json(await save(anna, { name: 'hers', query: 'x' })) as SavedSearch
    expect(await searches(ben)).toEqual([])
    expect((await send(ben, 'PATCH', `/api/searches/${id}`, { name: 'his' })).status).toBe(404)
    expect((await send(ben, 'DELETE', `/api/searches/${id}`)).status).toBe(404)
    expect((await searches(anna)).map(({ name }) => name)).toContain('hers')
  })

  test.each([
    { name: '', query: 'x' },
    { name: ' ', query: 'x' },
    { name: 'a\nb', query: 'x' },
    { name: 'a'.repeat(65), query: 'x' },
    { name: 'a', query: '' },
    { name: 'a', query: 'x'.repeat(1025) },
    { name: 'a', query: 'x', folder: '/a/../b' },
    { name: 'a', query: 'x\0' },
    {},
  ])('of %j is refused', async body => {
    expect((await save(anna, body)).status).toBe(400)
  })

  test('needs an account', async () => {
    expect((await call(wire, '/api/searches')).status).toBe(401)
    expect((await call(wire, '/api/searches', { method: 'POST' })).status).toBe(401)
    expect((await call(wire, '/api/searches/1', { method: 'PATCH' })).status).toBe(401)
    expect((await call(wire, '/api/searches/1', { method: 'DELETE' })).status).toBe(401)
  })

  test('is refused beyond the limit', async () => {
    const many = await person(wire, manys, PASSWORD)
    for (let n = 0; n < LIMITS.savedSearches; n++) {
      expect((await save(many, { name: `search ${n}`, query: 'x' })).status).toBe(201)
    }
    expect((await save(many, { name: 'one more', query: 'x' })).status).toBe(409)
    expect(await searches(many)).toHaveLength(LIMITS.savedSearches)
  })
})
