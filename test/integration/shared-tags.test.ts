import { expect, test } from 'vitest'
import { call, json, type Person, person } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { EVERYTHING, PASSWORD, populate } from './people.ts'

const people = ({ database }: { database: string }) =>
  populate(database, {
    people: [
      { name: 'ann', may: EVERYTHING },
      { name: 'ben', may: ['download'] },
    ],
  })

test('with --sharedTags=modify users who may modify make, change and delete shared tags, and others do not', async () => {
  const server = await serve({ args: ['--sharedTags', 'modify'], prepare: people })
  const send = ({ token }: Person, method: string, path: string, body?: object) =>
    call(server, `/api/tags${path}`, {
      method,
      token,
      headers: { 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const [ann, ben] = [await person(server, 'ann', PASSWORD), await person(server, 'ben', PASSWORD)]
  const shared = { name: 'Contract', colour: 'red', shared: true }
  const made = await send(ann, 'POST', '', shared)
  expect(made.status).toBe(201)
  const { id } = json(made)
  expect(json(await send(ben, 'GET', '')).items).toContainEqual({ id, ...shared })
  expect((await send(ben, 'POST', '', { ...shared, name: 'Other' })).status).toBe(403)
  expect((await send(ben, 'PATCH', `/${id}`, { colour: 'blue' })).status).toBe(403)
  expect((await send(ann, 'PATCH', `/${id}`, { colour: 'blue' })).status).toBe(200)
  expect((await send(ann, 'DELETE', `/${id}`)).status).toBe(204)
})
