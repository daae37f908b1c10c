import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { GOOD_PASSWORD, manager, perm, send } from '../api/accounts.ts'
import { json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { openSink, withMail } from '../mail/sink.ts'

test('a user gets a mail about what another one shares, unless they want none or it is shared no longer', async () => {
  const sink = await openSink()
  onTestFinished(() => sink.close())
  const server = await serve({ args: withMail(sink) })
  const admin = await manager(server)
  const rights = { perm: perm('create', 'rename', 'modify', 'delete', 'share', 'download'), scope: '/ann' }
  await admin.add('ann', rights)
  const [ben, eve] = [await admin.add('ben', { scope: '/ben' }), await admin.add('eve', { scope: '/eve' })]
  await mkdir(join(server.root, 'ann/Trip'), { recursive: true })
  const { db } = await openDb(server.database)
  const addresses = [
    { user_id: ben, address: 'ben@example.org', pending: '', notices: 1 },
    { user_id: eve, address: 'eve@example.org', pending: '', notices: 0 },
  ]
  await db.insertInto('mail_addresses').values(addresses).execute()
  const token = await signIn(server, 'ann', GOOD_PASSWORD)
  const share = (id: number, note: string) =>
    send(server, 'POST', '/api/grants', token, {
      path: '/Trip',
      to: { kind: 'user', id: String(id) },
      rights: ['download'],
      note,
    })
  const given = await share(ben, 'Photos of May')
  expect(given.status).toBe(201)
  await expect.poll(() => sink.to('ben@example.org')).toHaveLength(1)
  const [mail] = sink.to('ben@example.org')
  expect(mail?.headers.subject).toBe('ann shares Trip with you')
  expect(mail?.text).toContain('- Photos of May')
  expect(mail?.text).toContain('/files/Shared%20with%20me/')

  expect((await share(eve, '')).status).toBe(201)
  sink.refusals.push({ code: 450, text: 'later' })
  await send(server, 'DELETE', `/api/grants/${json(given).id}`, token)
  const again = json(await share(ben, ''))
  const mails = db.selectFrom('mails').select('state')
  await expect.poll(() => mails.where('about', '=', again.id).execute()).toEqual([{ state: 'waiting' }])
  await send(server, 'DELETE', `/api/grants/${again.id}`, token)
  await db.updateTable('mails').set({ next_at: 0 }).where('about', '=', again.id).execute()
  await expect.poll(() => mails.where('state', '=', 'waiting').execute()).toEqual([])
  await db.destroy()
  expect(sink.mails).toHaveLength(1)
})
