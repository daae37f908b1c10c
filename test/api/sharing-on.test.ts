import { describe, expect, test } from 'vitest'
import type { Grant } from '../../shared/api/grants.ts'
import { perm, send } from './accounts.ts'
import { call, encode, json } from './client.ts'
import { newSharer, SHARER_RIGHTS } from './sharers.ts'
import { EDIT, openSharing, SHARED, type Sharer, VIEW } from './sharing.ts'

const { server, admin, give, toUser, received, groupOf, pair, giver, taker, stranger } = await openSharing()
const ON = ['download', 'share']

const given = async ({ token }: Pick<Sharer, 'token'>, path?: string): Promise<Grant[]> =>
  json(await send(server, 'GET', `/api/grants${path === undefined ? '' : `?path=${encodeURIComponent(path)}`}`, token))
const remove = async ({ token }: Pick<Sharer, 'token'>, { id }: Grant) =>
  (await send(server, 'DELETE', `/api/grants/${id}`, token)).status
const change = ({ token }: Pick<Sharer, 'token'>, { id }: Grant, rights: readonly string[]) =>
  send(server, 'PATCH', `/api/grants/${id}`, token, { rights })
const leave = async ({ token }: Sharer, { id }: Grant) =>
  (await send(server, 'DELETE', `/api/grants/received/${id}`, token)).status
const reads = async ({ files }: Sharer, path: string) => (await files.raw(path)).status
const has = async (who: Sharer, name: string) =>
  (await received(who)).items.some(({ path }) => path === `${SHARED}/${name}`)

/** Ann shares a folder with Bob, who shares it on with Carl. */
async function chain(rights: readonly string[] = ON, on: readonly string[] = VIEW) {
  const first = await pair([...rights])
  const carl = stranger
  const answer = await give(first.bob, first.at, toUser(carl), [...on])
  expect(answer.status).toBe(201)
  return { ...first, carl, second: json(answer) as Grant }
}

describe('what a recipient shares on', () => {
  test('is read by another one, who sees whose it is, and nothing of where it lies', async () => {
    const { ann, bob, carl, name, at, second } = await chain()
    expect(second).toMatchObject({ path: at, to: { name: carl.name }, rights: VIEW })
    const item = (await received(carl)).items.find(({ path }) => path === at)
    expect(item).toMatchObject({ owner: ann.name, rights: VIEW })
    expect((await carl.files.raw(`${at}/one.txt`)).text).toBe('one.txt')
    expect((await carl.files.put(`${at}/new.txt`, 'x')).status).toBe(403)
    expect(await given(bob, at)).toMatchObject([{ id: second.id, path: at }])
    expect(await given(bob, at)).not.toHaveProperty('0.by')
    expect(await given(ann, `/${name}`)).toMatchObject([{ to: { name: bob.name } }, { by: bob.name, path: `/${name}` }])
    expect(JSON.stringify([await given(bob), await received(carl)])).not.toContain(ann.scope)
  })

  test('may be a part of it, or a file', async () => {
    const { bob, at } = await pair(ON)
    const carl = await newSharer(server, admin)
    expect((await give(bob, `${at}/sub`, toUser(carl))).status).toBe(201)
    expect((await give(bob, `${at}/one.txt`, toUser(carl))).status).toBe(201)
    expect((await carl.files.raw(`${SHARED}/sub/two.txt`)).text).toBe('sub/two.txt')
    expect((await carl.files.raw(`${SHARED}/one.txt`)).text).toBe('one.txt')
    expect((await carl.files.get(`${SHARED}/`)).text).not.toContain('.dot')
  })

  test('GRA-03 gives no right that the recipient does not have, also where they lose it later', async () => {
    const { ann, bob, carl, at, grant, second } = await chain([...EDIT, 'share'], EDIT)
    expect((await carl.files.put(`${at}/by-carl.txt`, 'x')).status).toBe(200)
    expect((await change(ann, grant, [...ON, 'create'])).status).toBe(200)
    const replace = { method: 'PUT', token: carl.token, body: 'y' }
    expect((await call(server, `/api/resources${encode(`${at}/one.txt`)}`, replace)).status).toBe(403)
    expect((await carl.files.put(`${at}/another.txt`, 'x')).status).toBe(200)
    expect((await change(bob, second, EDIT)).status).toBe(403)
    expect((await change(bob, second, VIEW)).status).toBe(200)
    expect((await carl.files.put(`${at}/third.txt`, 'x')).status).toBe(403)
    const { bob: reader, at: place } = await pair(ON)
    expect((await give(reader, place, toUser(carl), EDIT)).status).toBe(403)
  })

  test('GRA-03 is not possible without the right to share it, nor without one’s own permission to share', async () => {
    const { bob, at } = await pair(EDIT)
    expect((await give(bob, at, toUser(stranger))).status).toBe(403)
    const { ann, carl, name, grant } = await chain()
    expect(await reads(carl, `${SHARED}/${name}/one.txt`)).toBe(200)
    expect((await change(ann, grant, VIEW)).status).toBe(200)
    expect(await reads(carl, `${SHARED}/${name}/one.txt`)).toBe(404)
    expect((await change(ann, grant, ON)).status).toBe(200)
    expect(await reads(carl, `${SHARED}/${name}/one.txt`)).toBe(200)
    await admin.update(taker.id, ['perm'], { perm: perm('download') })
    expect(await reads(carl, `${SHARED}/${name}/one.txt`)).toBe(404)
    await admin.update(taker.id, ['perm'], { perm: perm(...SHARER_RIGHTS) })
  })

  test('GRA-03 ends with what the recipient has, when that is ended or left', async () => {
    for (const end of ['removed', 'left', 'expired'] as const) {
      const { ann, bob, carl, name, grant, second } = await chain()
      expect(await has(carl, name)).toBe(true)
      if (end === 'removed') expect(await remove(ann, grant)).toBe(204)
      if (end === 'left') expect(await leave(bob, grant)).toBe(204)
      if (end === 'expired') {
        const expires = new Date(Date.now() + 300).toISOString()
        await send(server, 'PATCH', `/api/grants/${grant.id}`, ann.token, { expires })
        await expect.poll(() => has(bob, name)).toBe(false)
      }
      expect([end, await has(carl, name), await reads(carl, `${SHARED}/${name}/one.txt`)]).toEqual([end, false, 404])
      expect((await given(bob)).map(({ id }) => id)).not.toContain(second.id)
    }
  })

  test('GRA-03 ends with the membership by which the recipient has it', async () => {
    const [ann, bob, carl] = [giver, await newSharer(server, admin), stranger]
    const group = await groupOf(ann, bob)
    const { name } = await pair(VIEW, { ann })
    expect((await give(ann, `/${name}`, group, ON)).status).toBe(201)
    const at = `${SHARED}/${name}`
    expect((await give(bob, at, toUser(carl))).status).toBe(201)
    expect(await reads(carl, `${at}/one.txt`)).toBe(200)
    await send(server, 'DELETE', `/api/groups/${group.id}/members/${bob.id}`, admin.token)
    expect(await reads(carl, `${at}/one.txt`)).toBe(404)
  })

  test('GRA-03 goes round in no circle, and no more than five steps', async () => {
    const { ann, bob, carl, at, name } = await chain(ON, ON)
    expect((await give(carl, at, toUser(bob))).status).toBe(409)
    expect((await give(carl, at, toUser(ann))).status).toBe(409)
    const more = await Promise.all([1, 2, 3, 4].map(() => newSharer(server, admin)))
    const statuses: number[] = []
    for (const [index, next] of more.entries())
      statuses.push((await give(more[index - 1] ?? carl, at, toUser(next), ON)).status)
    expect(statuses).toEqual([201, 201, 201, 403])
    expect(await reads(more[2] as Sharer, `${at}/one.txt`)).toBe(200)
    expect(await has(more[3] as Sharer, name)).toBe(false)
  })

  test('is ended by its owner, by who shares it on, and by no one else', async () => {
    const { ann, carl, second, at } = await chain()
    const other = await newSharer(server, admin)
    expect([await remove(carl, second), await remove(other, second)]).toEqual([404, 404])
    expect(await remove(ann, second)).toBe(204)
    expect(await reads(carl, `${at}/one.txt`)).toBe(404)
    const again = await chain()
    expect(await remove(again.bob, again.second)).toBe(204)
    expect(await has(again.carl, again.name)).toBe(false)
    expect(await has(again.bob, again.name)).toBe(true)
  })

  test('is given by no link', async () => {
    const { bob, at } = await pair([...EDIT, 'share'])
    for (const path of [at, `${at}/sub`, `${at}/one.txt`])
      for (const body of [{}, { kind: 'drop' }])
        expect((await send(server, 'POST', `/api/share${encode(path)}`, bob.token, body)).status).toBe(403)
    expect(json(await call(server, '/api/shares', { token: bob.token }))).toEqual([])
  })

  test('follows what its owner renames, and is shut with the account that shares it on', async () => {
    const { ann, bob, carl, name, at } = await chain()
    const moved = await call(server, `/api/resources/${name}/one.txt?action=rename&destination=/${name}/renamed.txt`, {
      method: 'PATCH',
      token: ann.token,
    })
    expect(moved.status).toBe(200)
    expect(await reads(carl, `${at}/renamed.txt`)).toBe(200)
    const disable = (disabled: boolean) =>
      send(server, 'PUT', `/api/users/${bob.id}/disabled`, admin.token, {
        disabled,
        current_password: server.adminPassword,
      })
    expect((await disable(true)).status).toBe(204)
    expect(await reads(carl, `${at}/renamed.txt`)).toBe(404)
    expect((await disable(false)).status).toBe(204)
    expect(await reads(carl, `${at}/renamed.txt`)).toBe(200)
  })
})
