import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, perm, send } from './accounts.ts'
import { call, json } from './client.ts'
import { openInstance } from './instance.ts'
import { linkTo, load, viewShare, withPassword } from './links-client.ts'
import { newSharer } from './sharers.ts'

const server = await openInstance()
const admin = await manager(server)
const soon = Math.floor(Date.now() / 1000) + 3600

const change = (token: string, hash: string, body: unknown) =>
  call(server, `/api/links/${hash}`, {
    method: 'PATCH',
    token,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('a link is changed after it was made', () => {
  test('its end, and nothing else', async () => {
    const ann = await newSharer(server, admin)
    const link = await linkTo(server, ann.token, '/docs/', { password: 'first' })
    const changed = await change(ann.token, link.hash, { expire: soon })
    expect([changed.status, json(changed)]).toEqual([200, { ...link, expire: soon }])
    expect((await viewShare(server, link.hash, '', '', withPassword('first'))).status).toBe(200)
    expect(json(await change(ann.token, link.hash, { expire: 0 }))).toMatchObject(link)
    expect(json(await call(server, '/api/shares', { token: ann.token }))).toMatchObject([link])
  })

  test('its password: neither the old one nor what it bought opens the link then', async () => {
    const ann = await newSharer(server, admin)
    const { hash } = await linkTo(server, ann.token, '/docs', { password: 'first' })
    const { token } = json(await viewShare(server, hash, '', '', withPassword('first')))
    expect((await load(server, hash, '/one.txt', `?token=${token}`)).status).toBe(200)

    expect(json(await change(ann.token, hash, { password: 'second' }))).toMatchObject({ hasPassword: true })
    expect((await load(server, hash, '/one.txt', `?token=${token}`)).status).toBe(401)
    expect((await viewShare(server, hash, '', '', withPassword('first'))).status).toBe(401)
    expect((await viewShare(server, hash, '', '', withPassword('second'))).status).toBe(200)

    expect(json(await change(ann.token, hash, { password: null }))).toMatchObject({ hasPassword: false })
    expect((await viewShare(server, hash)).status).toBe(200)
    expect(json(await change(ann.token, hash, { password: 'third' }))).toMatchObject({ hasPassword: true })
    expect((await viewShare(server, hash)).status).toBe(401)
  })

  test('by an administrator, who sees whose it is; the audit log has who did it', async () => {
    const ann = await newSharer(server, admin)
    const { hash } = await linkTo(server, ann.token, '/a.txt')
    const changed = await change(admin.token, hash, { expire: soon })
    expect([changed.status, json(changed).username]).toEqual([200, ann.name])
    const log = json(await call(server, '/api/audit?action=share.change', { token: admin.token }))
    expect(log.rows[0]).toMatchObject({ action: 'share.change', outcome: 'done', path: `${ann.scope}/a.txt` })
  })
})

describe('refused, and nothing changes', () => {
  test('for other users, for links that have ended, and without the permission to share', async () => {
    const [ann, bob] = [await newSharer(server, admin), await newSharer(server, admin)]
    const link = await linkTo(server, ann.token, '/a.txt')
    expect((await change(bob.token, link.hash, { password: 'mine' })).status).toBe(403)
    expect((await change(ann.token, 'no-such-link', { expire: 0 })).status).toBe(404)
    expect((await change('', link.hash, { expire: 0 })).status).toBe(401)
    expect(json(await call(server, '/api/shares', { token: ann.token }))).toEqual([link])
    await call(server, `/api/share/${link.hash}`, { method: 'DELETE', token: ann.token })
    expect((await change(ann.token, link.hash, { expire: soon })).status).toBe(404)
  })

  test.each([
    ['an end that is over', { expire: 1 }, 'expire'],
    ['a negative end', { expire: -1 }, 'expire'],
    ['half a second', { expire: 1.5 }, 'expire'],
    ['a word as the end', { expire: 'soon' }, 'expire'],
    ['a number as the password', { password: 7 }, 'password'],
    ['a password of 2000 characters', { password: 'x'.repeat(2000) }, 'password'],
  ])('for %s', async (_, body, field) => {
    const ann = await newSharer(server, admin)
    const link = await linkTo(server, ann.token, '/a.txt', { password: 'first' })
    const answer = await change(ann.token, link.hash, body)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(field)])
    expect(json(await call(server, '/api/shares', { token: ann.token }))).toEqual([link])
    expect((await viewShare(server, link.hash, '', '', withPassword('first'))).status).toBe(200)
  })
})

describe('the caller who changes a link', () => {
  test('needs the permission to share at that moment', async () => {
    const ann = await newSharer(server, admin)
    const { hash } = await linkTo(server, ann.token, '/a.txt', { password: 'first' })
    await admin.update(ann.id, ['perm'], { perm: perm('download', 'create') })
    expect((await change(ann.token, hash, { password: null })).status).toBe(403)
    await admin.update(ann.id, ['perm'], { perm: perm('share', 'download') })
    expect((await load(server, hash)).status).toBe(401)
  })

  test('needs an account that is still there', async () => {
    const ann = await newSharer(server, admin)
    const { hash } = await linkTo(server, ann.token, '/a.txt')
    await admin.remove(ann.id)
    expect((await change(ann.token, hash, { password: 'x' })).status).toBe(401)
    expect((await change(admin.token, hash, { password: 'x' })).status).toBe(404)
  })

  test('does not reach it with a token of other folders', async () => {
    const ann = await newSharer(server, admin)
    const { hash } = await linkTo(server, ann.token, '/a.txt')
    const wish = { label: 'docs', scopes: ['share'], folders: ['/docs'], current_password: GOOD_PASSWORD }
    const { token } = json(await send(server, 'POST', '/api/tokens', ann.token, wish))
    expect((await change(token, hash, { password: 'x' })).status).toBe(404)
  })
})

test('a link that is deleted at the same time stays deleted', async () => {
  const ann = await newSharer(server, admin)
  for (let round = 0; round < 3; round++) {
    const { hash } = await linkTo(server, ann.token, '/a.txt')
    const remove = call(server, `/api/share/${hash}`, { method: 'DELETE', token: ann.token })
    const answers = await Promise.all(['x', null, 'y'].map(password => change(ann.token, hash, { password })))
    expect((await remove).status).toBe(200)
    for (const { status } of answers) expect([200, 404]).toContain(status)
    expect((await load(server, hash, '', '', withPassword('x'))).status).toBe(404)
    expect(json(await call(server, '/api/shares', { token: ann.token }))).toEqual([])
  }
})
