import { expect, test } from 'vitest'
import { manager } from './accounts.ts'
import { call, encode, json } from './client.ts'
import { openInstance } from './instance.ts'
import { linkTo, load, viewShare, withPassword } from './links-client.ts'
import { newSharer } from './sharers.ts'

const server = await openInstance()
const ann = await newSharer(server, await manager(server))

const usedOf = async (path: string) =>
  json(await call(server, `/api/share${encode(path)}`, { token: ann.token }))[0].used

test('visits of a link are counted once per network, with the time of the last', async () => {
  const { hash } = await linkTo(server, ann.token, '/docs/')
  expect(await usedOf('/docs')).toBeUndefined()
  const before = Date.now()
  for (const sub of ['', '/sub', '']) expect((await viewShare(server, hash, sub)).status).toBe(200)
  const used = await usedOf('/docs')
  expect(used).toMatchObject({ views: 1, downloads: 0 })
  expect(Date.parse(used.last)).toBeGreaterThanOrEqual(before - 1)
})

test('begun downloads are counted: not their rest, nor what a page shows, nor questions without a body', async () => {
  const { hash } = await linkTo(server, ann.token, '/docs-2/')
  await load(server, hash, '/x.txt', '?inline=true')
  await load(server, hash, '/x.txt', '', { Range: 'bytes=1-' })
  await call(server, `/api/public/dl/${hash}/x.txt`, { method: 'HEAD' })
  expect(await usedOf('/docs-2')).toBeUndefined()
  await load(server, hash, '/x.txt')
  await load(server, hash, '/x.txt', '', { Range: 'bytes=0-1' })
  await load(server, hash, '', '?algo=tar')
  expect(await usedOf('/docs-2')).toMatchObject({ views: 0, downloads: 3 })
})

test('a wrong password is no visit', async () => {
  const { hash } = await linkTo(server, ann.token, '/a.txt', { password: 'secret' })
  expect((await viewShare(server, hash, '', '', withPassword('wrong'))).status).toBe(401)
  expect((await load(server, hash)).status).toBe(401)
  expect(await usedOf('/a.txt')).toBeUndefined()
  expect((await viewShare(server, hash, '', '', withPassword('secret'))).status).toBe(200)
  expect(await usedOf('/a.txt')).toMatchObject({ views: 1 })
})

test('the owner sees when and what, and no other user does', async () => {
  const { hash } = await linkTo(server, ann.token, '/docs/')
  const bob = await newSharer(server, await manager(server))
  const visits = (token: string) => call(server, `/api/links/${hash}/visits`, { token })
  expect(json(await visits(ann.token))).toEqual([])
  await viewShare(server, hash, '/sub')
  await load(server, hash, '/one.txt')
  await call(server, `/api/links/${hash}`, { method: 'PATCH', token: ann.token, body: '{"maxDownloads":2}' })
  await load(server, hash, '/sub/two.txt')
  await load(server, hash, '/one.txt')
  const seen: { time: string; what: string; path: string }[] = json(await visits(ann.token))
  expect(seen.map(({ what, path }) => [what, path])).toEqual([
    ['download', '/sub/two.txt'],
    ['download', '/one.txt'],
    ['view', '/sub'],
  ])
  expect(Date.now() - Date.parse(seen[0]?.time ?? '')).toBeLessThan(60_000)
  expect((await visits(bob.token)).status).toBe(403)
  expect((await call(server, `/api/links/${hash}x/visits`, { token: ann.token })).status).toBe(404)
})
