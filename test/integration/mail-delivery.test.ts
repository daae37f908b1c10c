import { expect, onTestFinished, test, vi } from 'vitest'
import { manager, send } from '../api/accounts.ts'
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
  await vi.waitFor(() => expect(sink.to('ann@example.org')).toHaveLength(1), { timeout: 30_000, interval: 100 })
}, 60_000)

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
  await vi.waitFor(async () => expect(await state()).toMatchObject({ dead: 1 }), 5000)
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
