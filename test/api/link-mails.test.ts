import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { changeAddress } from '../../server/features/mail/addresses.store.ts'
import { switchOffUrl } from '../../server/features/mail/switch-off.ts'
import { openSink, withMail } from '../mail/sink.ts'
import { manager, newcomer, perm, send } from './accounts.ts'
import { call, json } from './client.ts'
import { openInstance, serve } from './instance.ts'

const sink = await openSink()
afterAll(() => sink.close())
const wire = await serve({ args: withMail(sink) })
const admin = await manager(wire)
const ALL = { perm: perm('create', 'rename', 'modify', 'delete', 'share', 'download') }
const owner = await newcomer(wire, admin, ALL)
const other = await newcomer(wire, admin, ALL)

/** A link of the owner to a file. @param body its options */
async function link(name: string, body: object = {}): Promise<string> {
  await call(wire, `/api/resources/${name}?override=true`, { method: 'POST', token: owner.token, body: 'content' })
  return json(await send(wire, 'POST', `/api/share/${name}`, owner.token, body)).hash
}
const mail = (hash: string, body: object, token: string | undefined = owner.token) =>
  send(wire, 'POST', `/api/links/${hash}/invitations`, token, body)

test('a link goes by mail to each address, once, with the words of its owner as plain text', async () => {
  const hash = await link('plan.txt')
  const text = '<b>Look</b>\r\nBcc: eve@example.org\n\nSoon'
  const addresses = ['one@example.org', 'two@example.org', 'one@example.org']
  expect((await mail(hash, { addresses, text })).status).toBe(202)
  await expect.poll(() => sink.mails).toHaveLength(2)
  const [first] = sink.to('one@example.org')
  expect(first?.to).toEqual(['one@example.org'])
  expect(first?.headers.subject).toBe(`${owner.name} shares plan.txt with you`)
  expect(first?.headers.bcc).toBeUndefined()
  expect(first?.text).toContain(`> <b>Look</b>\n> Bcc: eve@example.org\n> \n> Soon\n\n`)
  expect(first?.text).toMatch(new RegExp(`^https?://\\S+/share/${hash}$`, 'm'))
  expect(first?.html).not.toContain('<b>')
  expect(first?.text).not.toContain('password')
  expect(sink.to('two@example.org')).toHaveLength(1)
  const { text: log } = await call(wire, '/api/audit?action=share.invite', { token: admin.token })
  expect(JSON.parse(log).rows[0]).toMatchObject({ target: 'one@example.org two@example.org', outcome: 'done' })
})

test('the mail with a link to files that has a password says so, and that of a file request asks for files', async () => {
  const locked = await link('locked.txt', { password: 'a long password' })
  await mail(locked, { addresses: ['locked@example.org'] })
  await call(wire, '/api/resources/in/', { method: 'POST', token: owner.token })
  const request = json(await send(wire, 'POST', '/api/share/in/', owner.token, { kind: 'drop' })).hash
  await mail(request, { addresses: ['drop@example.org'] })
  await expect.poll(() => sink.to('drop@example.org')[0]?.headers.subject).toBe(`${owner.name} asks you for files`)
  await expect.poll(() => sink.to('locked@example.org')).toHaveLength(1)
  expect(sink.to('locked@example.org')[0]?.text).toContain('needs a password that is not in this mail')
  expect(sink.to('locked@example.org')[0]?.raw).not.toContain('a long password')
})

test('only the owner of a link sends it, and an address that is none or a paused link sends nothing', async () => {
  const hash = await link('own.txt')
  const good = { addresses: ['own@example.org'] }
  expect((await mail(hash, good, other.token)).status).toBe(403)
  expect((await mail(hash, good, admin.token)).status).toBe(403)
  expect((await mail(hash, good, '')).status).toBe(401)
  expect((await mail('none', good)).status).toBe(404)
  for (const addresses of [[], ['no address'], ['a@example.org, b@example.org'], Array(21).fill('x@example.org')]) {
    expect((await mail(hash, { addresses })).status).toBe(400)
  }
  expect((await mail(hash, { ...good, text: 'x'.repeat(501) })).status).toBe(400)
  await send(wire, 'PATCH', `/api/links/${hash}`, owner.token, { paused: true })
  expect((await mail(hash, good)).status).toBe(400)
  expect(sink.to('own@example.org')).toEqual([])
})

test('MAIL-06 one address gets five mails with links an hour at most', async () => {
  const hash = await link('many.txt')
  const statuses: number[] = []
  for (let count = 0; count < 6; count += 1) {
    statuses.push((await mail(hash, { addresses: ['many@example.org'] })).status)
  }
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
})

test('no row of a mail has the secret of a link', async () => {
  const hash = await link('row.txt', { password: 'a long password' })
  await mail(hash, { addresses: ['row@example.org'], text: 'words' })
  const { db } = await openDb(wire.database)
  const rows = await db.selectFrom('mails').selectAll().where('about', '=', hash).execute()
  await db.destroy()
  expect(rows.map(({ kind, data }) => ({ kind, data: JSON.parse(data) }))).toEqual([
    { kind: 'share.invite', data: { text: 'words' } },
  ])
})

test('without a mail server no link is sent', async () => {
  const without = await openInstance()
  const manages = await manager(without)
  const body = { addresses: ['a@example.org'] }
  expect((await send(without, 'POST', '/api/links/x/invitations', manages.token, body)).status).toBe(404)
})

test('a user chooses the kinds of mails, and an unknown kind is refused', async () => {
  const put = (off: unknown) => send(wire, 'PUT', '/api/account/mail', other.token, { off })
  const off = async () => json(await call(wire, '/api/account/mail', { token: other.token })).off
  expect(await off()).toEqual([])
  expect((await put(['job.done', 'job.failed', 'job.done'])).status).toBe(204)
  expect(await off()).toEqual(['job.done', 'job.failed'])
  expect((await put(['password.reset'])).status).toBe(400)
  expect((await put([])).status).toBe(204)
  expect(await off()).toEqual([])
})

test('a ticket in a mail switches its kind off by one request, and reading its address changes nothing', async () => {
  const { db } = await openDb(wire.database)
  const publicURL = 'https://files.example.org'
  const to = (address: string) => changeAddress(db, other.id, { address, notices: 1, notices_off: 'job.failed' })
  const off = async () => json(await call(wire, '/api/account/mail', { token: other.token })).off
  await to('me@example.org')
  const row = { kind: 'job.done', user_id: other.id }
  const url = (await switchOffUrl({ db, publicURL }, row, 'me@example.org'))?.slice(publicURL.length) ?? expect.fail()
  expect(await switchOffUrl({ db, publicURL }, { ...row, kind: 'share.invite' }, 'me@example.org')).toBeUndefined()
  expect(await switchOffUrl({ db, publicURL: 'http://files' }, row, 'me@example.org')).toBeUndefined()
  const read = await call(wire, url)
  expect([read.status, read.headers.get('location')]).toEqual([302, '/settings/profile'])
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const click = (address: string) =>
    call(wire, address, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' })
  for (const wrong of [`${url}x`, '/api/mail-off', '/api/mail-off?ticket=x'])
    expect((await click(wrong)).status).toBe(404)
  await to('new@example.org')
  expect((await click(url)).status).toBe(404)
  await to('me@example.org')
  expect(await off()).toEqual(['job.failed'])
  for (const status of [204, 204]) expect((await click(url)).status).toBe(status)
  expect(await off()).toEqual(['job.failed', 'job.done'])
  await db.destroy()
})
