import { describe, expect, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { LIMITS } from '../../server/limits.ts'
import { type Manager, manager, newcomer, perm, send } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { EDIT } from '../api/sharing.ts'
import { type Received, startReceiver } from '../webhooks/receiver.ts'

/** What an event has of a new file of the tests. */
const WRITTEN = { size: 7, replaced: false }

const OWN = perm('create', 'rename', 'modify', 'delete', 'share', 'download')
const server = await serve({ args: ['--webhookNetworks', '127.0.0.1', '--webhooks', 'users'] })
const admin = await manager(server)

const upload = (by: Manager, path: string) =>
  call(server, `/api/resources${path}`, { method: 'POST', token: by.token, body: 'content' })
const eventsOf = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body))
const pathsOf = (received: readonly Received[]) => eventsOf(received).map(({ data }) => data.path)

/** A user in a folder of their own, which is on the disk. */
async function owner(fields: object = {}) {
  const scope = `/${uniqueName('home')}`
  expect((await upload(admin, `${scope}/first.txt`)).status).toBe(200)
  return { scope, ...(await newcomer(server, admin, { scope, perm: OWN, ...fields })) }
}

async function add(by: Manager, url: string, more: object = {}): Promise<{ id: string }> {
  const answer = await send(server, 'POST', '/api/webhooks', by.token, { name: 'own', url, ...more })
  expect(answer.status).toBe(201)
  return json(answer)
}
const deliveries = async (by: Manager, id: string) =>
  json(await call(server, `/api/webhooks/${id}/deliveries`, { token: by.token })).deliveries as { state: string }[]

/** An event of the administrator that every webhook may hear: those before it have been judged, too. */
async function heardAfter(receiver: { received: Received[] }, place: string) {
  await upload(admin, `${place}/last.txt`)
  await expect.poll(() => pathsOf(receiver.received)).toContain('/last.txt')
}

describe('a webhook of a user', () => {
  test('hears of own operations and those of others in the scope, with paths as the user sees them', async () => {
    const ann = await owner()
    const receiver = await startReceiver()
    await add(ann, receiver.url)
    await upload(ann, '/mine.txt')
    await upload(admin, `${ann.scope}/theirs.txt`)
    await expect.poll(() => receiver.received).toHaveLength(2)
    const data = eventsOf(receiver.received).map(event => event.data)
    expect(data).toContainEqual({ user: ann.name, via: 'session', path: '/mine.txt', ...WRITTEN })
    expect(data).toContainEqual({ user: 'admin', via: 'session', path: '/theirs.txt', ...WRITTEN })
    expect(JSON.stringify(eventsOf(receiver.received))).not.toContain(ann.scope)
  })

  test('has a type, a folder of the scope and a pattern', async () => {
    const ann = await owner()
    const receiver = await startReceiver()
    await add(ann, receiver.url, { types: ['file.uploaded'], folder: '/scans', pattern: '*.pdf' })
    for (const path of ['/a.pdf', '/scans/a.txt', '/scans/a.pdf']) await upload(ann, path)
    await expect.poll(() => pathsOf(receiver.received)).toEqual(['/scans/a.pdf'])
  })

  test('hears of own downloads, jobs and sign-ins, never of those of others, and never of accounts', async () => {
    const ann = await owner()
    const receiver = await startReceiver()
    await add(ann, receiver.url, { types: ['file.downloaded', 'file.uploaded', 'login.succeeded', 'job.finished'] })
    await call(server, `/api/raw${ann.scope}/first.txt`, { token: admin.token })
    await manager(server)
    await call(server, '/api/raw/first.txt', { token: ann.token })
    await expect.poll(() => receiver.received).toHaveLength(1)
    await heardAfter(receiver, ann.scope)
    expect(eventsOf(receiver.received).map(({ type, data }) => [type, data.user])).toEqual([
      ['file.downloaded', ann.name],
      ['file.uploaded', 'admin'],
    ])
    const types = ['user.created', 'user.changed', 'user.removed', 'settings.changed', 'login.blocked', 'share.opened']
    for (const type of types) {
      const body = { name: 'x', url: receiver.url, types: [type] }
      expect((await send(server, 'POST', '/api/webhooks', ann.token, body)).status).toBe(400)
    }
  })
})

describe('WH-05: nothing is sent', () => {
  test('of what lies outside the scope, or where the rules deny it', async () => {
    const ann = await owner({ rules: [{ path: '/secret', allow: false, regex: false, regexp: { raw: '' } }] })
    const other = await owner()
    const receiver = await startReceiver()
    await add(ann, receiver.url)
    await upload(other, '/private.txt')
    await upload(admin, `${ann.scope}-not/beside.txt`)
    await upload(admin, `${ann.scope}/secret/plan.txt`)
    const moved = `/api/resources${ann.scope}/first.txt?action=rename&destination=${ann.scope}/secret/moved.txt`
    expect((await call(server, moved, { method: 'PATCH', token: admin.token })).status).toBe(200)
    await heardAfter(receiver, ann.scope)
    expect(eventsOf(receiver.received).map(({ type, data }) => [type, data])).toEqual([
      ['item.moved', { user: 'admin', via: 'session', from: '/first.txt', folder: false }],
      ['file.uploaded', { user: 'admin', via: 'session', path: '/last.txt', ...WRITTEN }],
    ])
  })

  test.each(['../', '..', '/../', '/a/../../b'])('of the folder %j, which is refused', async folder => {
    const ann = await owner()
    const body = { name: 'x', url: 'https://receiver.invalid/', folder }
    expect((await send(server, 'POST', '/api/webhooks', ann.token, body)).status).toBe(400)
  })

  test('of a folder that is another’s place in the served root', async () => {
    const [ann, other] = [await owner(), await owner()]
    const [inner, all] = [await startReceiver(), await startReceiver()]
    await add(ann, inner.url, { folder: other.scope })
    await add(ann, all.url)
    await upload(other, '/private.txt')
    await heardAfter(all, ann.scope)
    expect(inner.received).toEqual([])
  })

  type Owner = Awaited<ReturnType<typeof owner>>
  const rule = { path: '/waits.txt', allow: false, regex: false, regexp: { raw: '' } }
  test.each<[string, (ann: Owner) => Promise<unknown>]>([
    ['a rule denies the path', ann => admin.update(ann.id, ['rules'], { rules: [rule] })],
    ['the user has another scope', ann => admin.update(ann.id, ['scope'], { scope: '/elsewhere' })],
    ['the account is blocked', ann => block(ann.id)],
    ['the account is removed', ann => admin.remove(ann.id)],
  ])('of an event that still waits when %s', async (_, change) => {
    const ann = await owner()
    const receiver = await startReceiver()
    receiver.answers.push({ status: 503, headers: { 'Retry-After': '2' } })
    const { id } = await add(ann, receiver.url)
    await upload(ann, '/waits.txt')
    await expect.poll(() => receiver.received).toHaveLength(1)
    await change(ann)
    await upload(admin, `${ann.scope}/waits.txt?override=true`)
    const { db } = await openDb(server.database)
    const left = () => db.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', id).execute()
    await expect.poll(left).toEqual([])
    await db.destroy()
    expect(receiver.received).toHaveLength(1)
  })

  test('of what was sent before and is hidden now, in the list of events', async () => {
    const ann = await owner()
    const receiver = await startReceiver()
    const { id } = await add(ann, receiver.url)
    await upload(ann, '/waits.txt')
    await expect.poll(() => deliveries(ann, id)).toMatchObject([{ state: 'sent' }])
    await admin.update(ann.id, ['rules'], { rules: [rule] })
    expect(await deliveries(ann, id)).toEqual([])
  })

  test('of what others share: neither to the one who sees it there, nor under a path in another’s scope', async () => {
    const [giver, taker] = [await owner(), await owner()]
    await upload(giver, '/gift/a.txt')
    const gift = { path: '/gift', to: { kind: 'user', id: String(taker.id) }, rights: EDIT }
    const [whole, own] = [await startReceiver(), await startReceiver()]
    const watcher = await newcomer(server, admin, { perm: OWN })
    await add(watcher, whole.url, { types: ['file.uploaded'] })
    await add(taker, own.url)
    expect(await share(giver, gift)).toBe(201)
    const answer = await upload(taker, '/Shared%20with%20me/gift/b.txt')
    expect(answer.status).toBe(200)
    await upload(admin, `${taker.scope}/last.txt`)
    await expect.poll(() => pathsOf(own.received)).toEqual(['/last.txt'])
    await expect.poll(() => pathsOf(whole.received)).toContain(`${taker.scope}/last.txt`)
    expect(pathsOf(whole.received).join()).not.toContain('b.txt')
  })
})

test('names of others are not sent where the host shows them to administrators only, nor their operations with own', async () => {
  const receivers: Record<string, Received[]> = {}
  for (const names of ['admins', 'own']) {
    const other = await serve({
      args: ['--webhookNetworks', '127.0.0.1', '--webhooks', 'users', '--activityNames', names],
    })
    const boss = await manager(other)
    const ann = await newcomer(other, boss, { perm: OWN })
    const receiver = await startReceiver()
    const body = { name: 'own', url: receiver.url, types: ['file.uploaded'] }
    expect((await send(other, 'POST', '/api/webhooks', ann.token, body)).status).toBe(201)
    for (const [token, name] of [
      [boss.token, 'theirs'],
      [ann.token, 'mine'],
    ] as const)
      await call(other, `/api/resources/${name}.txt`, { method: 'POST', token, body: 'x' })
    await expect.poll(() => pathsOf(receiver.received)).toContain('/mine.txt')
    receivers[names] = receiver.received
    const theirs = eventsOf(receiver.received).filter(({ data }) => data.path === '/theirs.txt')
    expect(theirs.map(({ data }) => data.user)).toEqual(names === 'own' ? [] : [''])
  }
})

describe('a user', () => {
  test('never sees or changes the webhooks of others, nor those of the administrators, who do not see theirs', async () => {
    const [ann, ben] = [await owner(), await owner()]
    const receiver = await startReceiver()
    const { id } = await add(ann, receiver.url, { enabled: false })
    const instance = await add(admin, receiver.url, { enabled: false })
    const listed = async (by: Manager) =>
      json(await call(server, '/api/webhooks', { token: by.token })).webhooks.map((one: { id: string }) => one.id)
    expect(await listed(ann)).toEqual([id])
    expect(await listed(ben)).toEqual([])
    expect(await listed(admin)).toContain(instance.id)
    expect(await listed(admin)).not.toContain(id)
    for (const [by, strange] of [
      [ben, id],
      [ann, instance.id],
      [admin, id],
    ] as const) {
      for (const [method, rest] of [
        ['PUT', ''],
        ['DELETE', ''],
        ['POST', '/secret'],
        ['POST', '/test'],
        ['GET', '/deliveries'],
        ['POST', '/deliveries/none/again'],
      ] as const) {
        const body = method === 'GET' ? undefined : { name: 'x', url: receiver.url }
        expect((await send(server, method, `/api/webhooks/${strange}${rest}`, by.token, body)).status).toBe(404)
      }
    }
  })

  test.each(['http://10.0.0.1/', 'https://10.0.0.1/', 'http://example.org/', 'https://[::1]/', 'https://1.1.1.1:22/'])(
    'cannot have %s called',
    async url => {
      const ann = await owner()
      expect((await send(server, 'POST', '/api/webhooks', ann.token, { name: 'x', url })).status).toBe(400)
    },
  )

  test('has a limited number of webhooks', async () => {
    const ann = await owner()
    const body = { name: 'x', url: 'https://receiver.invalid/', enabled: false }
    const made = async () => (await send(server, 'POST', '/api/webhooks', ann.token, body)).status
    for (let count = 0; count < LIMITS.webhooksOfUser; count += 1) expect(await made()).toBe(201)
    expect(await made()).toBe(409)
  })

  test('takes the webhooks along when the account is removed', async () => {
    const ann = await owner()
    const receiver = await startReceiver()
    const { id } = await add(ann, receiver.url)
    expect((await admin.remove(ann.id)).status).toBe(200)
    expect((await upload(admin, `${ann.scope}/later.txt`)).status).toBe(200)
    const { db } = await openDb(server.database)
    expect(await db.selectFrom('webhooks').select('id').where('id', '=', id).execute()).toEqual([])
    const events = db.selectFrom('audit').select('path').where('path', '=', `${ann.scope}/later.txt`)
    expect(await events.execute()).toHaveLength(1)
    await db.destroy()
    expect(receiver.received).toEqual([])
  })

  test('is in the audit log with what they did to a webhook', async () => {
    const ann = await owner()
    const { id } = await add(ann, 'https://receiver.invalid/', { name: 'logged' })
    await send(server, 'DELETE', `/api/webhooks/${id}`, ann.token)
    const rows = json(await call(server, `/api/audit?username=${ann.name}`, { token: admin.token })).rows
    expect(rows.map((row: { action: string; target: string }) => [row.action, row.target])).toEqual(
      expect.arrayContaining([
        ['webhook.add', 'logged'],
        ['webhook.remove', 'logged'],
      ]),
    )
  })
})

test('a server that goes back to webhooks of administrators sends nothing to those of users, and refuses them', async () => {
  const args = (mode: string) => ['--webhookNetworks', '127.0.0.1', '--webhooks', mode]
  const first = await serve({ args: args('users') })
  const ann = await newcomer(first, await manager(first), { perm: OWN })
  const receiver = await startReceiver()
  await send(first, 'POST', '/api/webhooks', ann.token, { name: 'own', url: receiver.url })
  await first.end('SIGTERM')
  const second = await serve({ args: args('admins'), home: first.home, root: first.root })
  expect((await call(second, '/api/webhooks', { token: ann.token })).status).toBe(403)
  const boss = await manager(second)
  const instance = await startReceiver()
  await send(second, 'POST', '/api/webhooks', boss.token, { name: 'all', url: instance.url, types: ['file.uploaded'] })
  await call(second, '/api/resources/a.txt', { method: 'POST', token: ann.token, body: 'x' })
  await expect.poll(() => instance.received).toHaveLength(1)
  expect(receiver.received).toEqual([])
})

async function block(id: number): Promise<void> {
  const { db } = await openDb(server.database)
  await db.updateTable('users').set({ disabled_at: Date.now() }).where('id', '=', id).execute()
  await db.destroy()
}

const share = async (by: Manager, gift: object) => (await send(server, 'POST', '/api/grants', by.token, gift)).status
