import { expect, onTestFinished, test, vi } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { manager, send } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import type { Instance } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { openSink, withMail } from '../mail/sink.ts'
import { openOffice, PUBLIC } from '../office/office-place.ts'
import { account, openDav } from './dav-place.ts'

const OUTGOING = /^(?:mail|webhook|office|davRefused)/

async function findings(
  server: Pick<Instance, 'url'>,
  token: string,
): Promise<{ code: string; what?: string; amount?: number }[]> {
  const all: { code: string }[] = json(await call(server, '/api/doctor', { token }))
  return all.filter(({ code }) => OUTGOING.test(code))
}

test('the diagnostics say whether the mail server answers, and how many mails were given up and wait too long', async () => {
  const sink = await openSink()
  onTestFinished(() => sink.close())
  const server = await serve({ args: withMail(sink) })
  const { token } = await manager(server)
  const what = `127.0.0.1:${sink.port}`
  sink.refusals.push({ code: 550, text: 'no such user' })
  await send(server, 'POST', '/api/users/1/invitation', token, { address: 'ann@example.org' })
  const dead = async () => json(await call(server, '/api/mail', { token })).dead
  await expect.poll(dead).toBe(1)
  const { db } = await openDb(server.database)
  const row = { kind: 'invitation', user_id: 1, address: 'a@example.org', about: '', data: '{}', state: 'waiting' }
  const at = { created_at: Date.now() - 7_200_000, next_at: Date.now() + 3_600_000, tries: 3, ended_at: null }
  await db
    .insertInto('mails')
    .values({ ...row, ...at, id: 'late' })
    .execute()
  await db.destroy()
  expect(await findings(server, token)).toEqual([
    { code: 'mailUp', what },
    { code: 'mailDead', amount: 1 },
    { code: 'mailLate', amount: 1 },
  ])
}, 180_000)

test('the diagnostics say when the mail server does not answer', async () => {
  const gone = await openSink()
  await gone.close()
  const server = await serve({ args: withMail(gone) })
  const { token } = await manager(server)
  const lines = [expect.stringContaining('filigree mail test')]
  expect(await findings(server, token)).toEqual([{ code: 'mailAway', what: `127.0.0.1:${gone.port}`, lines }])
}, 180_000)

test('the diagnostics name webhooks of administrators that fail or were switched off, and no healthy one', async () => {
  const server = await serve({ args: ['--webhookNetworks', '127.0.0.1'] })
  const { token } = await manager(server)
  const add = async (name: string) =>
    json(await send(server, 'POST', '/api/webhooks', token, { name, url: 'http://127.0.0.1:9/', types: [] })).id
  const [failing, off] = [await add('failing'), await add('off'), await add('healthy')]
  const { db } = await openDb(server.database)
  const since = Date.now() - 3_600_000
  await db.updateTable('webhooks').set({ failing_since: since }).where('id', '=', failing).execute()
  await db.updateTable('webhooks').set({ enabled: 0, off_reason: 'failing' }).where('id', '=', off).execute()
  await db.destroy()
  expect(await findings(server, token)).toEqual([
    { code: 'webhookFailing', what: 'failing' },
    { code: 'webhookOff', what: 'off' },
  ])
}, 180_000)

test('the diagnostics say when the office editor does not answer', async () => {
  const office = 'http://127.0.0.1:9'
  const settings = ['--publicURL', 'http://127.0.0.1:1', '--office', office, '--officeNetworks', '127.0.0.1']
  const server = await serve({ args: settings })
  const { token } = await manager(server)
  expect(await findings(server, token)).toEqual([{ code: 'officeAway', what: office }])
}, 180_000)

test('the diagnostics say when the office editor was given documents for a minute and used none', async () => {
  const place = await openOffice()
  const { token } = place.admin
  const up = { code: 'officeUp', what: place.editor.url }
  const one = await place.open((await place.file()).path)
  expect(await findings(place.server, token)).toEqual([up])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  onTestFinished(() => void vi.useRealTimers())
  expect((await one.check({ signing: { url: 'http://elsewhere.test/' } })).status).toBe(500)
  expect(await findings(place.server, token)).toEqual([up, { code: 'officeSilent', what: PUBLIC }])
  expect((await one.check()).status).toBe(200)
  expect(await findings(place.server, token)).toEqual([up])
}, 180_000)

test('the diagnostics say that WebDAV was refused over plain HTTP, and from where, but not where it was not', async () => {
  const place = await openDav('--trustedProxies', '127.0.0.1')
  const { token } = place.admin
  const { user } = await account(place)
  const from = (address: string, more = {}) =>
    place.dav('PROPFIND', '/', { user, headers: { 'X-Forwarded-For': address, Depth: '0', ...more } })
  expect((await from('10.0.0.9')).status).toBe(207)
  expect((await from('203.0.113.9', { 'X-Forwarded-Proto': 'https' })).status).toBe(207)
  expect(await findings(place.server, token)).toEqual([])
  for (const address of ['203.0.113.8', '203.0.113.9']) expect((await from(address)).status).toBe(403)
  expect(await findings(place.server, token)).toEqual([{ code: 'davRefused', what: '203.0.113.9', amount: 2 }])
}, 180_000)
