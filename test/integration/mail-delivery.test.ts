import { expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { manager, perm, send } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { openSink, withMail } from '../mail/sink.ts'

test('MAIL-07 a mail that waited during a crash and a dead mail server arrives after both', async () => {
  const gone = await openSink()
  await gone.close()
  const args = withMail(gone)
  const first = await serve({ args })
  const admin = await manager(first)
  const id = await admin.add('ann')
  const body = { address: 'ann@example.org' }
  expect((await send(first, 'POST', `/api/users/${id}/invitation`, admin.token, body)).status).toBe(202)
  await first.end('SIGKILL')
  const sink = await openSink({}, gone.port)
  onTestFinished(() => sink.close())
  await serve({ args, home: first.home, root: first.root })
  await expect.poll(() => sink.to('ann@example.org')).toHaveLength(1)
})

test('administrators see a mail that the mail server refuses for good, and a test mail says what it answered', async () => {
  const sink = await openSink()
  onTestFinished(() => sink.close())
  const server = await serve({ args: withMail(sink) })
  const admin = await manager(server)
  const state = async () => json(await call(server, '/api/mail', { token: admin.token }))
  const expected = { on: true, server: `127.0.0.1:${sink.port}`, from: 'Filigree <files@example.org>', dead: 0 }
  expect(await state()).toMatchObject(expected)
  sink.refusals.push({ code: 550, text: 'no such user' })
  const body = { address: 'ann@example.org' }
  await send(server, 'POST', '/api/users/1/invitation', admin.token, body)
  await expect.poll(state).toMatchObject({ dead: 1 })
  expect((await state()).failed).toMatchObject([{ kind: 'invitation', reason: '550 no such user' }])
  const tried = await send(server, 'POST', '/api/mail/test', admin.token, body)
  expect(json(tried)).toMatchObject({ step: '', answer: expect.stringMatching(/^250/) })
  expect(sink.mails).toMatchObject([{ headers: { subject: 'Test mail from Filigree' } }])
  sink.refusals.push({ code: 550, text: 'not you' })
  expect(json(await send(server, 'POST', '/api/mail/test', admin.token, body))).toMatchObject({
    step: 'receiver',
    answer: '550 not you',
  })
  expect(await server.log()).not.toContain('ann@example.org')
})

test('administrators with an address get one mail a day about mails that were given up, and none about that mail', async () => {
  const sink = await openSink()
  onTestFinished(() => sink.close())
  const server = await serve({ args: withMail(sink) })
  const admin = await manager(server)
  const all = { perm: perm('admin', 'create', 'rename', 'modify', 'delete', 'share', 'download') }
  const ids = [await admin.add('ann', all), await admin.add('ben'), await admin.add('eve', all)]
  const { db } = await openDb(server.database)
  const addresses = ['ann', 'ben', 'eve'].map((name, index) => ({
    ...{ user_id: ids[index] ?? 0, address: `${name}@example.org`, pending: '', notices: name === 'eve' ? 0 : 1 },
  }))
  await db.insertInto('mail_addresses').values(addresses).execute()
  await db.destroy()
  const dead = async () => json(await call(server, '/api/mail', { token: admin.token })).dead
  const invite = async (name: string, refusals: typeof sink.refusals, count: number) => {
    sink.refusals.push(...refusals)
    await send(server, 'POST', '/api/users/1/invitation', admin.token, { address: `${name}@example.net` })
    await expect.poll(dead).toBe(count)
  }
  await invite('one', [{ code: 550, text: '<b>no such user</b>' }], 1)
  await expect.poll(() => sink.to('ann@example.org')).toHaveLength(1)
  await invite('two', [{ code: 550, text: 'no such user' }], 2)
  expect(sink.mails).toHaveLength(1)
  const [mail] = sink.mails
  expect(mail?.headers.subject).toBe('Filigree could not send a mail')
  expect(mail?.text).toContain('- 550 <b>no such user</b>')
  expect(mail?.html).not.toContain('<b>')
  expect(mail?.text).not.toContain('one@example.net')
})

test('a mail about mails that were given up makes no other when it is refused itself', async () => {
  const sink = await openSink()
  onTestFinished(() => sink.close())
  const server = await serve({ args: withMail(sink) })
  const admin = await manager(server)
  const { db } = await openDb(server.database)
  await db.insertInto('mail_addresses').values({ user_id: 1, address: 'gone@example.org', pending: '' }).execute()
  await db.destroy()
  sink.refusals.push({ code: 550, text: 'no' }, { code: 550, text: 'no' })
  await send(server, 'POST', '/api/users/1/invitation', admin.token, { address: 'one@example.net' })
  const state = async () => json(await call(server, '/api/mail', { token: admin.token }))
  await expect.poll(state).toMatchObject({ dead: 2, waiting: 0 })
  expect(sink.mails).toEqual([])
})
