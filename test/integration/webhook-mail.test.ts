import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { manager, perm, send } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { openSink, withMail } from '../mail/sink.ts'

const ALL = perm('admin', 'create', 'rename', 'modify', 'delete', 'share', 'download')

test('administrators with an address get one mail about a webhook whose receiver is gone, and users get none', async () => {
  const sink = await openSink()
  const receiver = createServer((_request, response) => void response.writeHead(410).end())
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    receiver.close()
    await sink.close()
  })
  const server = await serve({ args: ['--webhookNetworks', '127.0.0.1', ...withMail(sink)] })
  const admin = await manager(server)
  const ids = [await admin.add('ann', { perm: ALL }), await admin.add('ben'), await admin.add('eve', { perm: ALL })]
  const { db } = await openDb(server.database)
  const addresses = ['ann', 'ben', 'eve'].map((name, index) => ({
    ...{ user_id: ids[index] ?? 0, address: `${name}@example.org`, pending: '', notices: name === 'eve' ? 0 : 1 },
  }))
  await db.insertInto('mail_addresses').values(addresses).execute()
  await db.destroy()
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const webhook = { name: '<b>\r\nBcc: x', url, types: ['folder.created'], enabled: true }
  const { id } = json(await send(server, 'POST', '/api/webhooks', admin.token, webhook))
  const isOn = async () =>
    json(await call(server, '/api/webhooks', { token: admin.token })).webhooks.find(
      (one: { id: string }) => one.id === id,
    ).enabled
  for (const folder of ['one', 'two']) {
    await send(server, 'PUT', `/api/webhooks/${id}`, admin.token, webhook)
    await call(server, `/api/resources/${folder}/`, { method: 'POST', token: admin.token })
    await expect.poll(isOn).toBe(false)
  }
  await expect.poll(() => sink.to('ann@example.org')).toHaveLength(1)
  const [mail] = sink.mails
  expect(mail?.headers.subject).toMatch(/^Webhook switched off: <b>\s+Bcc: x$/)
  expect(mail?.text).toContain('its receiver is gone (410)')
  expect(mail?.html).not.toContain('<b>')
  expect(sink.mails).toHaveLength(1)
})
