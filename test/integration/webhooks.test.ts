import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Webhook as Verifier } from 'standardwebhooks'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { newSecret, signatureOf } from '../../server/features/webhooks/sign.ts'
import { call, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { type Received, startReceiver } from '../webhooks/receiver.ts'

const server = await serve({ args: ['--webhookNetworks', '127.0.0.1'] })
const token = await signIn(server)

const post = (path: string, body?: unknown) =>
  call(server, path, { method: 'POST', token, ...(body !== undefined && { body: JSON.stringify(body) }) })

async function add(url: string, more: Record<string, unknown> = {}): Promise<{ id: string; secret: string }> {
  const answer = await post('/api/webhooks', { name: 'test', url, ...more })
  expect(answer.status).toBe(201)
  return json(answer)
}
const listed = async (id: string) =>
  json(await call(server, '/api/webhooks', { token })).webhooks.find((one: { id: string }) => one.id === id)
const deliveries = async (id: string) =>
  json(await call(server, `/api/webhooks/${id}/deliveries`, { token })).deliveries as Record<string, unknown>[]
const upload = (name: string) => call(server, `/api/resources/${name}`, { method: 'POST', token, body: 'content' })
const eventsOf = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body))

describe('a webhook', () => {
  test('WH-07 receives what was done, signed as the published library of Standard Webhooks expects', async () => {
    const receiver = await startReceiver()
    const { secret } = await add(receiver.url, { folder: '/signed' })
    await upload('signed/ünï.txt')
    await call(server, '/api/resources/signed/%C3%BCn%C3%AF.txt?action=rename&destination=/signed/b.txt', {
      method: 'PATCH',
      token,
    })
    await call(server, '/api/resources/signed/b.txt', { method: 'DELETE', token })
    await expect.poll(() => receiver.received).toHaveLength(3)
    for (const { headers, body } of receiver.received) {
      const verified = new Verifier(secret).verify(body, headers as Record<string, string>)
      expect(verified).toEqual(JSON.parse(body))
    }
    const events = eventsOf(receiver.received).sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1))
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['file.uploaded', 'item.moved', 'item.deleted']))
    expect(events.find(({ type }) => type === 'item.moved')?.data).toEqual({
      user: 'admin',
      via: 'session',
      path: '/signed/b.txt',
      from: '/signed/ünï.txt',
      folder: false,
    })
    const dataOf = (wanted: string) => events.find(({ type }) => type === wanted)?.data
    expect(dataOf('file.uploaded')).toMatchObject({ size: 7, replaced: false })
    expect(dataOf('item.deleted')).toMatchObject({ folder: false, trashed: true })
  })

  test('gets only the types it names, and only events of its folder', async () => {
    const [types, folder] = [await startReceiver(), await startReceiver()]
    await add(types.url, { types: ['folder.created'], folder: '/chosen' })
    await add(folder.url, { folder: '/chosen/' })
    await call(server, '/api/resources/chosen/', { method: 'POST', token })
    await upload('chosen/a.txt')
    await upload('chosen-not/a.txt')
    await expect.poll(() => folder.received).toHaveLength(2)
    expect(
      eventsOf(folder.received)
        .map(({ data }) => data.path)
        .sort(),
    ).toEqual(['/chosen', '/chosen/a.txt'])
    expect(eventsOf(types.received).map(({ type }) => type)).toEqual(['folder.created'])
  })

  test('gets only events of the names of its pattern', async () => {
    const receiver = await startReceiver()
    await add(receiver.url, { folder: '/named', pattern: '*.pdf' })
    for (const name of ['a.txt', 'b.pdf', 'sub/C.PDF']) await upload(`named/${name}`)
    await expect.poll(() => receiver.received).toHaveLength(2)
    const paths = eventsOf(receiver.received).map(({ data }) => data.path)
    expect(paths.sort()).toEqual(['/named/b.pdf', '/named/sub/C.PDF'])
  })

  test('learns that a job has finished, with its failed items', async () => {
    const receiver = await startReceiver()
    await add(receiver.url, { types: ['job.finished'] })
    await upload('worked/a.txt')
    const items = ['a.txt', 'missing.txt'].map(name => ({ from: `/worked/${name}`, to: `/worked/copy of ${name}` }))
    expect((await post('/api/jobs', { kind: 'copy', items })).status).toBeLessThan(300)
    await expect.poll(() => receiver.received).toHaveLength(1)
    const [event] = eventsOf(receiver.received)
    expect(event).toMatchObject({
      type: 'job.finished',
      data: { user: 'admin', via: 'session', kind: 'copy', state: 'done', items: 2, failed: 1 },
    })
  })

  test('gets the first 500 items of a job, and its end with all of them', async () => {
    const [items, ends] = [await startReceiver(), await startReceiver()]
    await mkdir(join(server.root, 'many'))
    const names = Array.from({ length: 502 }, (_, at) => (at < 499 ? `${at}.txt` : `last-${at}.txt`))
    for (const name of names) await writeFile(join(server.root, 'many', name), '')
    const { id } = await add(items.url, { types: ['item.copied'], pattern: 'last-*' })
    await add(ends.url, { types: ['job.finished'] })
    const copies = names.map(name => ({ from: `/many/${name}`, to: `/many/copy of ${name}` }))
    expect((await post('/api/jobs', { kind: 'copy', items: copies })).status).toBeLessThan(300)
    await vi.waitFor(() => expect(ends.received).toHaveLength(1), { timeout: 120_000, interval: 200 })
    expect(eventsOf(ends.received)[0]?.data).toMatchObject({ items: 502, failed: 0 })
    await expect.poll(() => listed(id)).toMatchObject({ waiting: 0 })
    expect(eventsOf(items.received).map(({ data }) => data.from)).toEqual(['/many/last-499.txt'])
  })

  test('is tried again after a failure with the same id, and waits as long as the receiver asks', async () => {
    const receiver = await startReceiver()
    receiver.answers.push({ status: 503, headers: { 'Retry-After': '1' }, body: 'busy' })
    const { id } = await add(receiver.url, { folder: '/again' })
    await upload('again/a.txt')
    await expect.poll(() => receiver.received).toHaveLength(2)
    const [first, second] = receiver.received.map(({ headers }) => headers)
    expect(first?.['webhook-id']).toBe(second?.['webhook-id'])
    const sent = { state: 'sent', tries: 2, status: 204 }
    await expect.poll(() => deliveries(id)).toMatchObject([sent])
    const healthy = { failingSince: null, waiting: 0 }
    await expect.poll(() => listed(id)).toMatchObject(healthy)
  })

  test('is switched off by a receiver that is gone, and its event is sent again by hand', async () => {
    const receiver = await startReceiver()
    receiver.answers.push({ status: 410 })
    const { id } = await add(receiver.url, { folder: '/gone' })
    await upload('gone/a.txt')
    const off = { enabled: false, offReason: 'gone', dead: 1 }
    await expect.poll(() => listed(id)).toMatchObject(off)
    const body = JSON.stringify({ name: 'test', url: receiver.url, folder: '/gone', enabled: true })
    expect((await call(server, `/api/webhooks/${id}`, { method: 'PUT', token, body })).status).toBe(200)
    const [dead] = await deliveries(id)
    expect((await post(`/api/webhooks/${id}/deliveries/${dead?.id}/again`)).status).toBe(202)
    await expect.poll(() => deliveries(id)).toMatchObject([{ state: 'sent' }])
  })

  test('signs with its old secret, too, for a day after a new one', async () => {
    const receiver = await startReceiver()
    const { id, secret } = await add(receiver.url, { folder: '/secret' })
    const renewed = json(await post(`/api/webhooks/${id}/secret`)).secret
    expect(renewed).not.toBe(secret)
    const tried = json(await post(`/api/webhooks/${id}/test`))
    expect(tried).toMatchObject({ status: 204, reason: '' })
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
    for (const one of [secret, renewed]) new Verifier(one).verify(body, headers as Record<string, string>)
    expect(JSON.parse(body).type).toBe('webhook.test')
  })

  test('WH-06 shows its secret only once, and no list, event or audit row has it', async () => {
    const receiver = await startReceiver()
    const { id, secret } = await add(receiver.url, { folder: '/hidden' })
    await upload('hidden/a%0D%0Ax-injected:1.txt')
    await expect.poll(() => receiver.received).toHaveLength(1)
    expect(receiver.received[0]?.headers['x-injected']).toBeUndefined()
    for (const path of ['/api/webhooks', `/api/webhooks/${id}/deliveries`, '/api/audit?action=webhook.add']) {
      expect((await call(server, path, { token })).text).not.toContain(secret)
    }
  })

  test('WH-03 WH-04 a redirect is a failure that is not followed, and only the beginning of an answer is read', async () => {
    const [other, receiver] = [await startReceiver(), await startReceiver()]
    receiver.answers.push({ status: 302, headers: { Location: other.url } }, { status: 200, body: 'x'.repeat(100_000) })
    const { id } = await add(receiver.url, { folder: '/redirect' })
    expect(json(await post(`/api/webhooks/${id}/test`))).toMatchObject({ status: 302 })
    expect(json(await post(`/api/webhooks/${id}/test`)).answer).toBe('x'.repeat(2048))
    expect(other.received).toEqual([])
  })

  test('is removed with its events, and no event of another is lost', async () => {
    const receiver = await startReceiver()
    const { id } = await add(receiver.url)
    expect((await call(server, `/api/webhooks/${id}`, { method: 'DELETE', token })).status).toBe(204)
    expect((await call(server, `/api/webhooks/${id}/deliveries`, { token })).status).toBe(404)
    await writeFile(join(server.root, 'x'), '')
    expect(await listed(id)).toBeUndefined()
  })
})

test.each([
  'http://example.org/',
  'http://10.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://0xa.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://[fe80::1]/',
  'https://1.1.1.1:22/',
  'https://user:pass@1.1.1.1/',
  'file:///etc/passwd',
  'gopher://1.1.1.1/',
  'nothing',
])('WH-01 the address %s is refused with a reason', async url => {
  const answer = await post('/api/webhooks', { name: 'x', url })
  expect(answer.status).toBe(400)
})

test('a server whose host permits no webhooks refuses to add one, and lists none as permitted', async () => {
  const closed = await serve({ args: ['--webhooks=false'] })
  const admin = await signIn(closed)
  expect(json(await call(closed, '/api/webhooks', { token: admin }))).toMatchObject({ permitted: false })
  const body = JSON.stringify({ name: 'x', url: 'https://1.1.1.1/' })
  expect((await call(closed, '/api/webhooks', { method: 'POST', token: admin, body })).status).toBe(403)
})

test('WH-08 what was done before a crash is sent after it, each event at least once', async () => {
  const receiver = await startReceiver()
  const args = ['--webhookNetworks', '127.0.0.1']
  const first = await serve({ args })
  const admin = await signIn(first)
  const body = JSON.stringify({ name: 'x', url: receiver.url, types: ['file.uploaded'] })
  await call(first, '/api/webhooks', { method: 'POST', token: admin, body })
  const names = Array.from({ length: 12 }, (_, index) => `/${index}.txt`)
  const upload = (name: string) => call(first, `/api/resources${name}`, { method: 'POST', token: admin, body: 'x' })
  await Promise.all(names.map(upload))
  await first.end('SIGKILL')

  await serve({ args, home: first.home, root: first.root })
  const heard = () => new Set(eventsOf(receiver.received).map(({ data }) => data.path))
  await vi.waitFor(() => expect(heard()).toEqual(new Set(names)), { timeout: 100_000, interval: 500 })
})

test('the receiver in the guide prints what is signed, and refuses the rest', async () => {
  const guide = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(guide) ?? []
  const secret = newSecret()
  // Port 0 is any free one, which the program then says.
  const program = spawn(
    process.execPath,
    ['--input-type=module', '-e', code.replace(`listen(9000, '127.0.0.1')`, `listen(0, '127.0.0.1', tell)`) + TELL],
    { env: { SECRET: secret }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  onTestFinished(() => void program.kill())
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]()
  const { value: port } = await lines.next()
  const body = JSON.stringify({ type: 'webhook.test' })
  const ask = async (signer: string) => {
    const signature = signatureOf([signer], { id: 'msg_1', timestamp: 1, body })
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': signature }
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })).status
  }
  expect(await ask(newSecret())).toBe(401)
  expect(await ask(secret)).toBe(204)
  expect((await lines.next()).value).toBe("{ type: 'webhook.test' }")
})

/** Says at which port the receiver of the guide listens. */
const TELL = `
function tell() {
  console.log(this.address().port)
}`
