import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { setDisabled } from '../../server/features/users/users.store.ts'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, send } from '../api/accounts.ts'
import { call, json, login } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { confirmedLongAgo } from '../api/late.ts'
import { rawRequest } from '../api/raw.ts'
import { openSink, secretIn, withMail } from '../mail/sink.ts'

const sink = await openSink()
afterAll(() => sink.close())
const server = await serve({ args: ['--trustedProxies', '127.0.0.1', ...withMail(sink)] })
const admin = await manager(server)

/** The last mail to an address, once there are so many. */
async function mailTo(address: string, count = 1, from = sink) {
  await expect.poll(() => from.to(address)).toHaveLength(count)
  return from.to(address).at(-1) ?? expect.fail()
}

const newNetwork = (): Record<string, string> => ({ 'X-Forwarded-For': `10.${[...randomBytes(3)].join('.')}` })
const post = (path: string, body: object, headers: Record<string, string> = newNetwork()) =>
  call(server, path, { method: 'POST', body: JSON.stringify(body), headers })
const ask = (name: string, headers = newNetwork()) => post('/api/password-reset', { name }, headers)
const use = (link: string, password?: string) => post('/api/mail-links/use', { link, password })
const enter = (token: string, address: string) =>
  send(server, 'PUT', '/api/account/mail', token, { address, current_password: GOOD_PASSWORD })

let people = 0
const newAddress = () => {
  people += 1
  return `user${people}@example.org`
}

/** A user with a confirmed address. */
async function person(fields: Record<string, unknown> = {}) {
  const user = await newcomer(server, admin, fields)
  const address = newAddress()
  expect((await enter(user.token, address)).status).toBe(204)
  expect((await use(secretIn(await mailTo(address)))).status).toBe(204)
  return { ...user, address }
}

/** The secret of a reset that a user asked for. */
async function resetOf({ name, address }: { name: string; address: string }, count = 2) {
  expect((await ask(name)).status).toBe(202)
  return secretIn(await mailTo(address, count))
}

describe('an address', () => {
  test('counts only once its user has followed the link, which works once', async () => {
    const user = await newcomer(server, admin)
    const address = newAddress()
    expect((await enter(user.token, address)).status).toBe(204)
    const link = secretIn(await mailTo(address))
    const state = async () => json(await call(server, '/api/account/mail', { token: user.token }))
    expect(await state()).toEqual({ address: '', pending: address, notices: true, off: [] })
    expect(json(await post('/api/mail-links/look', { link }))).toMatchObject({ purpose: 'verify', username: user.name })
    expect((await use(link)).status).toBe(204)
    expect(await state()).toEqual({ address, pending: '', notices: true, off: [] })
    expect((await use(link)).status).toBe(404)
  })

  test('stays until another one is confirmed, and needs the password of its user', async () => {
    const user = await person()
    const other = newAddress()
    const wrong = { address: other, current_password: OTHER_PASSWORD }
    expect((await send(server, 'PUT', '/api/account/mail', user.token, wrong)).status).toBe(400)
    await confirmedLongAgo(server)
    expect((await send(server, 'PUT', '/api/account/mail', user.token, { address: other })).status).toBe(403)
    await enter(user.token, other)
    await mailTo(other)
    await resetOf(user)
  })

  test('MAIL-01 with line breaks, brackets, commas or 10 kB is refused', async () => {
    const user = await newcomer(server, admin)
    const bad = [
      'a@b.org\r\nBcc: c@d.org',
      'a@b.org, c@d.org',
      '<a@b.org>',
      '"a b"@c.org',
      `${'a'.repeat(10_000)}@b.org`,
      'a@b',
      '@b.org',
    ]
    for (const address of bad) expect((await enter(user.token, address)).status).toBe(address === 'a@b' ? 204 : 400)
  })

  test('gets five links an hour at most', async () => {
    const user = await newcomer(server, admin)
    const address = newAddress()
    for (let count = 0; count < 5; count += 1) expect((await enter(user.token, address)).status).toBe(204)
    const refused = await enter(user.token, address)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  })
})

describe('a forgotten password', () => {
  test('is set by the link of a mail, which ends the sessions and begins none', async () => {
    const user = await person()
    const link = await resetOf(user)
    const mail = sink.to(user.address).at(-1)
    expect(mail?.headers).toMatchObject({ 'auto-submitted': 'auto-generated', to: user.address })
    expect(mail?.headers.subject).toBe('Set a new password for Filigree')
    expect((await use(link, 'short')).status).toBe(400)
    const used = await use(link, OTHER_PASSWORD)
    expect([used.status, used.headers.get('set-cookie')]).toEqual([204, null])
    expect((await call(server, '/api/account/mail', { token: user.token })).status).toBe(401)
    expect((await login(server, user.name, GOOD_PASSWORD)).status).toBe(403)
    expect((await login(server, user.name, OTHER_PASSWORD)).status).toBe(200)
    expect((await mailTo(user.address, 3)).headers.subject).toBe('Your password for Filigree was changed')
  })

  test('MAIL-03 a link counts once, for the account as it was, and no log has it', async () => {
    const user = await person()
    const [first, second] = [await resetOf(user), await resetOf(user, 3)]
    expect((await use(first, OTHER_PASSWORD)).status).toBe(204)
    expect((await use(first, GOOD_PASSWORD)).status).toBe(404)
    expect((await use(second, GOOD_PASSWORD)).status).toBe(404)
    const renamed = await person()
    const link = await resetOf(renamed)
    await admin.update(renamed.id, ['username'], { username: `${renamed.name}-new` })
    expect((await post('/api/mail-links/look', { link })).status).toBe(404)
    const removed = await person()
    const gone = await resetOf(removed)
    await admin.remove(removed.id)
    expect((await use(gone, OTHER_PASSWORD)).status).toBe(404)
    const log = await server.log()
    for (const secret of [first, second, link, gone]) expect(log).not.toContain(secret)
    expect(log).not.toContain(user.address)
  })

  test('MFA-12 a link counts once also for many requests at once, and not after its hour or for a closed account', async () => {
    const user = await person()
    const link = await resetOf(user)
    const answers = await Promise.all([1, 2, 3, 4].map(() => use(link, OTHER_PASSWORD)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404])
    const [late, closed] = [await person(), await person()]
    const [old, other] = [await resetOf(late), await resetOf(closed)]
    const { db } = await openDb(server.database)
    onTestFinished(() => db.destroy())
    await setDisabled(db, closed.id, true)
    expect((await use(other, OTHER_PASSWORD)).status).toBe(404)
    await db
      .updateTable('login_flows')
      .set({ expires_at: Date.now() - 1 })
      .where('kind', '=', 'link')
      .execute()
    expect((await use(old, OTHER_PASSWORD)).status).toBe(404)
    expect((await login(server, late.name, GOOD_PASSWORD)).status).toBe(200)
  })

  test('MAIL-03 guesses at links are stopped', async () => {
    const network = newNetwork()
    const guess = async () =>
      (await post('/api/mail-links/use', { link: randomBytes(32).toString('base64url') }, network)).status
    const statuses = new Set<number>()
    for (let count = 0; count < 70 && !statuses.has(429); count += 1) statuses.add(await guess())
    expect(statuses).toEqual(new Set([404, 429]))
  })

  test('MAIL-04 the answer is the same for names that exist and for others', async () => {
    const user = await person()
    const [known, unknown] = await Promise.all([ask(user.name), ask('nobody-of-this-name')])
    const seen = ({ status, text, headers }: typeof known) => [status, text, [...headers.keys()].sort()]
    expect(seen(known)).toEqual(seen(unknown))
    await mailTo(user.address, 2)
  })

  test('MAIL-02 the link has the public URL, whatever the request says', async () => {
    const user = await person()
    const forged = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' }
    const headers = { ...newNetwork(), ...forged, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ name: user.name })
    const target = '/api/password-reset'
    expect((await rawRequest(server, { method: 'POST', target, headers, body })).status).toBe(202)
    const { raw, text, html } = await mailTo(user.address, 2)
    expect(raw).not.toContain('evil.example')
    for (const body of [text, html]) expect(body).toContain('https://files.example.org/login?link#')
  })

  test('is found by the address as well, and a second factor is still asked', async () => {
    const user = await person()
    const secret = json(
      await send(server, 'POST', '/api/account/totp', user.token, { current_password: GOOD_PASSWORD }),
    ).secret
    await send(server, 'POST', '/api/account/totp/confirm', user.token, {
      code: spawnSync('oathtool', ['--totp', '-b', secret], { encoding: 'utf8' }).stdout.trim(),
    })
    await ask(user.address.toUpperCase())
    const link = secretIn(await mailTo(user.address, 2))
    expect((await use(link, OTHER_PASSWORD)).status).toBe(204)
    const signedIn = await login(server, user.name, OTHER_PASSWORD)
    expect([signedIn.status, signedIn.headers.get('x-error-code')]).toEqual([403, 'second_factor_required'])
  })

  test('of a user who may not change it sends no link', async () => {
    const user = await person()
    await admin.update(user.id, ['lockPassword'], { lockPassword: true })
    await ask(user.name)
    const { text } = await mailTo(user.address, 2)
    expect(text).toContain('cannot be changed here')
    expect(secretIn({ text })).toBe('')
  })

  test('MAIL-06 a flood is stopped, of one network and for one account', async () => {
    const user = await person()
    const network = newNetwork()
    const statuses: number[] = []
    for (let count = 0; count < 25; count += 1) statuses.push((await ask(user.name, network)).status)
    expect(statuses).toEqual([...Array(20).fill(202), ...Array(5).fill(429)])
    await expect.poll(async () => json(await call(server, '/api/mail', { token: admin.token })).waiting).toBe(0)
    expect(sink.to(user.address)).toHaveLength(6)
  })
})

describe('a login', () => {
  const NEW = 'New login to Filigree'
  const logIn = (username: string, headers: Record<string, string>) =>
    post('/api/login', { username, password: GOOD_PASSWORD }, headers)
  const subjects = (address: string) => sink.to(address).map(({ headers }) => headers.subject)

  test('from a browser or network that is new for the account makes one mail at once', async () => {
    const user = await person({ locale: 'de' })
    await send(server, 'PUT', '/api/account/mail', user.token, { notices: false })
    const client = {
      'X-Forwarded-For': '203.0.113.9',
      'User-Agent': '<b>Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    }
    expect((await logIn(user.name, client)).status).toBe(200)
    const mail = await mailTo(user.address, 2)
    expect(mail.headers.subject).toBe('Neue Anmeldung bei Filigree')
    for (const word of [user.name, 'Firefox · Linux', '203.0.113.9', ' UTC']) expect(mail.text).toContain(word)
    expect(mail.html).not.toContain('<b>')
    expect((await logIn(user.name, { ...client, 'X-Forwarded-For': '203.0.113.77' })).status).toBe(200)
    expect((await logIn(user.name, { ...client, 'X-Forwarded-For': '203.0.112.77' })).status).toBe(200)
    expect((await mailTo(user.address, 3)).text).toContain('203.0.112.77')
    expect(await server.log()).not.toContain(user.address)
  })

  test('by WebDAV counts, a wrong password and an API token do not', async () => {
    const user = await person()
    const wrong = { username: user.name, password: OTHER_PASSWORD }
    expect((await post('/api/login', wrong)).status).toBe(403)
    const fields = { label: 'x', scopes: ['read'], current_password: GOOD_PASSWORD }
    const token = json(await send(server, 'POST', '/api/tokens', user.token, fields)).token
    expect((await post('/api/login', { username: user.name, password: token })).status).toBe(200)
    const basic = { Authorization: `Basic ${Buffer.from(`${user.name}:${GOOD_PASSWORD}`).toString('base64')}` }
    const headers = { ...newNetwork(), ...basic, Depth: '0', 'User-Agent': 'davfs2/1.7' }
    expect((await call(server, '/dav/', { method: 'PROPFIND', headers })).status).toBe(207)
    expect((await mailTo(user.address, 2)).text).toContain('davfs2')
    expect(subjects(user.address).slice(1)).toEqual([NEW])
  })
})

test('an invitation sets the password of a new account, and confirms the address', async () => {
  const user = await newcomer(server, admin, { locale: 'ar' })
  const address = newAddress()
  const invited = await send(server, 'POST', `/api/users/${user.id}/invitation`, admin.token, { address })
  expect(invited.status).toBe(202)
  const mail = await mailTo(address)
  expect(mail.html).toContain('dir="rtl"')
  expect(mail.headers['content-language']).toBe('ar')
  expect((await use(secretIn(mail), OTHER_PASSWORD)).status).toBe(204)
  const signedIn = await login(server, user.name, OTHER_PASSWORD)
  expect(json(await call(server, '/api/account/mail', { token: signedIn.text }))).toMatchObject({
    address,
    pending: '',
  })
})

test('MAIL-08 HTML in names is text', async () => {
  const user = await person()
  await admin.update(user.id, ['username'], { username: `<b>&"${user.name}` })
  await ask(user.address)
  const { text, html } = await mailTo(user.address, 2)
  expect(text).toContain(`<b>&"${user.name}`)
  expect(html).not.toContain('<b>')
  expect(html).toContain(`&#60;b&#62;&#38;&#34;${user.name}`)
})
