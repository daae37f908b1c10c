import { describe, expect, onTestFinished, test } from 'vitest'
import type { LinkPolicy } from '../../shared/api/access-settings.ts'
import { manager, newcomer, perm, send } from './accounts.ts'
import { call, json } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await manager(wire)
const OPEN: LinkPolicy = { kinds: ['view', 'edit', 'drop'], password: 'optional', maxDays: 0, slugs: 'locked' }
const PASSWORD = 'x-of-the-link'
const DAY = 86_400

const put = (body: object, token: string | undefined = admin.token) =>
  send(wire, 'PUT', '/api/settings/access', token, body)

/** Sets the policy for the time of a test. */
async function demand(policy: Partial<LinkPolicy>): Promise<void> {
  onTestFinished(async () => void (await put({ links: OPEN })))
  expect((await put({ links: { ...OPEN, ...policy } })).status).toBe(204)
}

/** A user with a folder, who shares it. */
async function sharer() {
  const { path } = await corner(wire)
  const rights = perm('create', 'modify', 'rename', 'delete', 'share', 'download')
  const { token } = await newcomer(wire, admin, { perm: rights, scope: path })
  await call(wire, '/api/resources/box/', { method: 'POST', token })
  await call(wire, '/api/resources/box/a.txt', { method: 'POST', token, body: 'content' })
  const share = (body: object = {}) => send(wire, 'POST', '/api/share/box/', token, body)
  const change = (hash: string, body: object) => send(wire, 'PATCH', `/api/links/${hash}`, token, body)
  const hashes = async () => json(await call(wire, '/api/shares', { token })).map(({ hash }: { hash: string }) => hash)
  return { token, share, change, hashes }
}

const refusal = ({ status, text }: Awaited<ReturnType<typeof call>>) => [status, /\((\w+):/.exec(text)?.[1]]
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
const visit = (name: string, password?: string) =>
  call(wire, `/api/public/share/${name}`, password === undefined ? {} : { headers: { 'X-SHARE-PASSWORD': password } })

describe('the policy of links', () => {
  test('allows only the chosen kinds of new links, and leaves those that exist', async () => {
    const { share, change, hashes } = await sharer()
    const old = json(await share({ kind: 'drop' }))
    await demand({ kinds: ['view'] })
    expect(refusal(await share({ kind: 'drop' }))).toEqual([400, 'kind'])
    expect(refusal(await share({ kind: 'edit', rights: ['create'] }))).toEqual([400, 'kind'])
    expect((await share()).status).toBe(200)
    expect((await change(old.hash, { label: 'still here' })).status).toBe(200)
    expect((await visit(old.hash)).status).toBe(200)
    expect(await hashes()).toHaveLength(2)
    await demand({ kinds: [] })
    expect(refusal(await share())).toEqual([400, 'kind'])
  })

  test('demands passwords of new links, and does not let one be taken away', async () => {
    const { share, change, hashes } = await sharer()
    const old = json(await share())
    const locked = json(await share({ password: PASSWORD }))
    await demand({ password: 'required' })
    for (const password of [undefined, '', null]) expect(refusal(await share({ password }))).toEqual([400, 'password'])
    expect(await hashes()).toHaveLength(2)
    expect((await share({ password: PASSWORD })).status).toBe(200)
    for (const password of ['', null])
      expect(refusal(await change(locked.hash, { password }))).toEqual([400, 'password'])
    expect((await visit(locked.hash)).status).toBe(401)
    expect((await change(old.hash, { label: 'open as before' })).status).toBe(200)
    expect((await visit(old.hash)).status).toBe(200)
  })

  test('limits how long new links last, and changed ones from the moment of the change', async () => {
    const { share, change } = await sharer()
    const old = json(await share())
    await demand({ maxDays: 7 })
    for (const life of [
      {},
      { expires: 0 },
      { expires: '8', unit: 'days' },
      { expires: String(7 * DAY + 3600), unit: 'seconds' },
    ])
      expect([life, refusal(await share(life))]).toEqual([life, [400, 'expires']])
    for (const life of [
      { expires: '7', unit: 'days' },
      { expires: String(7 * DAY + 1), unit: 'seconds' },
    ])
      expect([life, (await share(life)).status]).toEqual([life, 200])
    for (const expire of [0, inSeconds(8 * DAY)])
      expect(refusal(await change(old.hash, { expire }))).toEqual([400, 'expires'])
    expect((await change(old.hash, { label: 'without an end as before' })).status).toBe(200)
    expect((await change(old.hash, { expire: inSeconds(6 * DAY) })).status).toBe(200)
  })

  test('lets no link have a name, or each one, where a name that no link has is not found', async () => {
    const { share, change } = await sharer()
    const [name, other] = [uniqueName('holiday'), uniqueName('other')]
    await demand({ slugs: 'off' })
    expect(refusal(await share({ slug: name, password: PASSWORD }))).toEqual([400, 'slug'])
    const plain = json(await share())
    expect(refusal(await change(plain.hash, { slug: name }))).toEqual([400, 'slug'])
    await demand({ slugs: 'open' })
    expect(json(await change(plain.hash, { slug: name }))).toMatchObject({ slug: name, hasPassword: false })
    expect((await visit(`~${name}`)).status).toBe(200)
    expect((await call(wire, `/api/public/dl/~${name}/a.txt`)).text).toBe('content')
    expect((await visit(`~${other}`)).status).toBe(404)
    expect((await share({ slug: other, password: PASSWORD })).status).toBe(200)
    expect([(await visit(`~${other}`)).status, (await visit(`~${other}`, PASSWORD)).status]).toEqual([401, 200])
  })

  test('PUB-05 a name of a link without a password opens nothing once names need one, and looks like one that no link has', async () => {
    const { share, change } = await sharer()
    const name = uniqueName('guessed')
    await demand({ slugs: 'open' })
    const { hash } = json(await share({ slug: name }))
    await demand({ slugs: 'locked' })
    const seen = ({ status, text, headers }: Awaited<ReturnType<typeof visit>>) => [
      status,
      text,
      headers.get('x-error-code'),
    ]
    expect(seen(await visit(`~${name}`))).toEqual(seen(await visit(`~${uniqueName('none')}`)))
    expect((await visit(`~${name}`)).status).toBe(401)
    expect((await visit(hash)).status).toBe(200)
    expect(refusal(await change(hash, { slug: uniqueName('again') }))).toEqual([400, 'slug'])
    expect((await change(hash, { slug: null })).status).toBe(200)
  })

  test('is read and changed by administrators, and stays when another part changes', async () => {
    const { token } = await sharer()
    expect((await put({ links: OPEN }, token)).status).toBe(403)
    expect((await put({})).status).toBe(400)
    for (const wrong of [{ kinds: ['all'] }, { password: true }, { maxDays: -1 }, { maxDays: 1.5 }, { slugs: 'some' }])
      expect([wrong, (await put({ links: { ...OPEN, ...wrong } })).status]).toEqual([wrong, 400])
    await demand({ maxDays: 30, password: 'required' })
    const read = async () => json(await call(wire, '/api/settings/access', { token: admin.token }))
    const { secondFactor, links } = await read()
    expect(links).toEqual({ ...OPEN, maxDays: 30, password: 'required' })
    expect((await put({ secondFactor: { ...secondFactor, graceDays: 5 } })).status).toBe(204)
    expect(await read()).toEqual({ secondFactor: { ...secondFactor, graceDays: 5 }, links })
    expect((await put({ secondFactor })).status).toBe(204)
    const { rows } = json(await call(wire, '/api/audit?action=settings.change', { token: admin.token }))
    expect(rows.map(({ target }: { target: string }) => target)).toContain('links')
  })
})
