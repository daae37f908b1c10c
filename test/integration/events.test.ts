import { spawnSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manager, newcomer, send } from '../api/accounts.ts'
import { call, encode, json, person } from '../api/client.ts'
import { EXECUTABLE } from '../api/harness.ts'
import { corner, serve } from '../api/instance.ts'
import { whole } from '../api/people.ts'
import { newSharer } from '../api/sharers.ts'

const server = await serve()
const admin = await manager(server)

/** Maximum concurrent streams of a user. */
const MOST = 32

async function openStream(token: string, folder: string) {
  const stop = new AbortController()
  const address = `${server.url}/api/events?folder=${encode(folder)}`
  const response = await fetch(address, { headers: { 'X-Auth': token }, signal: stop.signal })
  const stream = { status: response.status, ended: false, text: '', leave: () => stop.abort() }
  const read = async () => {
    for await (const piece of response.body ?? []) stream.text += Buffer.from(piece).toString()
    stream.ended = true
  }
  void read().catch(() => {})
  return stream
}

test('a stream of events ends with its session, and those of other sessions continue', async () => {
  const [one, two] = [await person(server), await person(server)]
  const [first, second] = [await openStream(one.token, '/'), await openStream(two.token, '/')]
  await call(server, '/api/logout', { method: 'POST', token: one.token })
  await expect.poll(() => first.ended).toBe(true)
  expect(second.ended).toBe(false)
  second.leave()
})

test('a stream says when a second factor may be required of its user, or no longer', async () => {
  const { token, id } = await newcomer(server, admin)
  const put = async (path: string, body: object) =>
    (await call(server, path, { method: 'PUT', token: admin.token, body: JSON.stringify(body) })).status
  const named = await call(server, '/api/groups', {
    method: 'POST',
    token: admin.token,
    body: JSON.stringify({ name: 'Bound', perm: {} }),
  })
  const group = json(named).id
  const demand = (require: string) =>
    put('/api/settings/access', { secondFactor: { require, groups: [group], from: null, graceDays: 7 } })
  const stream = await openStream(token, '/')
  const told = () => stream.text.split('event: factors').length - 1
  expect(await demand('groups')).toBe(204)
  await expect.poll(told).toBe(1)
  await put(`/api/groups/${group}/members/${id}`, {})
  await expect.poll(told).toBe(2)
  const later = await openStream(token, '/')
  await expect.poll(() => later.text).toContain('event: factors')
  expect(await demand('none')).toBe(204)
  await expect.poll(told).toBe(3)
  stream.leave()
  later.leave()
})

describe('a stream says `places`', () => {
  const told = ({ text }: { text: string }) => text.split('event: places').length - 1
  const soon = () => new Date(Date.now() + 2000).toISOString()
  const late = { timeout: 6000 }

  test('when another user shares something, changes it, and at the moment it ends', async () => {
    const [ann, bob] = [await newSharer(server, admin), await newSharer(server, admin)]
    const stream = await openStream(bob.token, '/docs')
    const to = { kind: 'user', id: String(bob.id) }
    const made = await send(server, 'POST', '/api/grants', ann.token, { path: '/docs-2', to, rights: ['download'] })
    await expect.poll(() => told(stream)).toBe(1)
    const change = (body: object) => send(server, 'PATCH', `/api/grants/${json(made).id}`, ann.token, body)
    expect((await change({ expires: soon() })).status).toBe(200)
    await expect.poll(() => told(stream)).toBe(2)
    const before = await send(server, 'GET', '/api/grants/received', bob.token)
    expect(json(before).items).toHaveLength(1)
    await expect.poll(() => told(stream), late).toBe(3)
    expect(json(await send(server, 'GET', '/api/grants/received', bob.token)).items).toEqual([])
    expect(stream.ended).toBe(false)
    stream.leave()
  })

  test('when a membership ends, and then ends itself with the rights that it gave', async () => {
    const user = await newSharer(server, admin)
    const group = json(
      await send(server, 'POST', '/api/groups', admin.token, {
        ...{ name: 'Guests', description: '', perm: { execute: true }, rules: [] },
      }),
    )
    const member = `/api/groups/${group.id}/members/${user.id}`
    expect((await send(server, 'PUT', member, admin.token, { expires: soon() })).status).toBe(204)
    const stream = await openStream(user.token, '/docs')
    await expect.poll(() => told(stream), late).toBe(1)
    await expect.poll(() => stream.ended).toBe(true)
  })
})

test('a stream says when an item in its folder has another note or other comments, and nothing of other folders', async () => {
  const { disk, path } = await corner(server)
  await mkdir(join(disk, 'other'))
  for (const name of ['a.txt', 'other/b.txt']) await writeFile(join(disk, name), 'x')
  const { token } = await person(server)
  const stream = await openStream(token, path)
  const seen = () => stream.text.split('event: remarks').length - 1
  await expect.poll(() => stream.text).toContain('retry')
  const say = (method: string, address: string) => send(server, method, address, admin.token, { text: 'new' })
  expect((await say('POST', `/api/comments${path}/other/b.txt`)).status).toBe(201)
  expect((await say('PUT', `/api/notes${path}/a.txt`)).status).toBe(204)
  await expect.poll(seen).toBe(1)
  const { id } = json(await say('POST', `/api/comments${path}/a.txt`))
  await expect.poll(seen).toBe(2)
  await say('PATCH', `/api/comment/${id}`)
  await expect.poll(seen).toBe(3)
  await send(server, 'DELETE', `/api/comment/${id}`, admin.token)
  await expect.poll(seen).toBe(4)
  stream.leave()
})

test('a stream says when a quota was changed', async () => {
  const { token, id } = await newcomer(server, admin)
  const stream = await openStream(token, '/')
  await expect.poll(() => stream.text).toContain('retry')
  expect((await send(server, 'PUT', `/api/quotas/users/${id}`, admin.token, { bytes: 1000 })).status).toBe(204)
  await expect.poll(() => stream.text).toContain('event: quota')
  stream.leave()
})

test('as many streams as a user may have are opened, also when all are requested at once', async () => {
  const { token } = await person(server)
  const streams = await Promise.all(Array.from({ length: MOST + 8 }, () => openStream(token, '/')))
  expect(streams.filter(({ status }) => status === 429)).toHaveLength(8)
  for (const { leave } of streams) leave()
  await expect.poll(async () => (await openStream(token, '/none')).status).toBe(404)
})

/** A user with streams about two folders, the relevant one and another. */
async function watching(folder = 'meant') {
  const { path, disk } = await corner(server)
  for (const name of ['meant', 'other']) await mkdir(join(disk, name))
  await symlink('meant', join(disk, 'link'))
  const user = await newcomer(server, admin, { scope: path })
  const open = (name: string) => openStream(user.token, `/${name}`)
  const [meant, other] = [await open(folder), await open('other')]
  const change = () => writeFile(join(disk, 'meant/secret.txt'), 'x')
  return { user, meant, other, change, open, rule: whole({ path: '/meant' }) }
}

/** Sets a global rule, and removes it afterwards. */
async function withGlobalRule(rule: object, act: () => Promise<void>): Promise<void> {
  const before = json(await admin.settings())
  expect((await admin.change({ rules: [...before.rules, rule] })).status).toBe(200)
  try {
    await act()
  } finally {
    await admin.change({ rules: before.rules })
  }
}

describe('a stream about a folder that its user may no longer see', () => {
  test.each(['meant', 'link'])('ends at once with a global rule, under the name %s', async name => {
    const { meant, other, change, open, rule } = await watching(name)
    await withGlobalRule(rule, async () => {
      await change()
      await expect.poll(() => meant.ended).toBe(true)
      expect(meant.text).not.toContain('event: folder')
      expect((await open(name)).status).toBe(403)
      expect(other.ended).toBe(false)
      other.leave()
    })
  })

  test('ends at once with a rule of the user, and without a scope or an account', async () => {
    for (const change of [{ rules: [whole({ path: '/meant' })] }, { scope: '/' }, undefined]) {
      const { user, meant, change: write } = await watching()
      if (change) await admin.update(user.id, Object.keys(change), change)
      else await admin.remove(user.id)
      await write()
      await expect.poll(() => meant.ended).toBe(true)
      expect(meant.text).not.toContain('event: folder')
    }
  })

  test('reports no change after a rule of which no server was notified, and ends', async () => {
    const { meant, change, open } = await watching()
    const onConsole = (...words: string[]) =>
      spawnSync(process.execPath, [EXECUTABLE, 'rules', ...words, '--database', server.database], { encoding: 'utf8' })
    expect(onConsole('add', '/meant').status).toBe(0)
    try {
      await change()
      await expect.poll(() => meant.ended).toBe(true)
      expect(meant.text).not.toContain('event: folder')
      expect((await open('meant')).status).toBe(403)
    } finally {
      expect(onConsole('rm', '0').status).toBe(0)
    }
  })

  test('continues if a rule is about something else', async () => {
    const { meant, change } = await watching()
    await withGlobalRule(whole({ path: '/elsewhere' }), async () => {
      await change()
      await expect.poll(() => meant.text).toContain('event: folder')
      expect(meant.ended).toBe(false)
    })
    meant.leave()
  })
})
