import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, perm, send } from './accounts.ts'
import { call, json } from './client.ts'
import { linkTo, load, viewShare, withPassword } from './links-client.ts'
import { newSharer } from './sharers.ts'
import { openSharing, SHARED, VIEW } from './sharing.ts'

const { server, admin, give, toUser, namesIn } = await openSharing()
type Sharer = Awaited<ReturnType<typeof newSharer>>

const sharers = (...which: Record<string, unknown>[]) =>
  Promise.all(which.map(fields => newSharer(server, admin, fields)))
const handOver = (from: Pick<Sharer, 'id'>, body: object, token = admin.token) =>
  send(server, 'POST', `/api/users/${from.id}/handover`, token, body)
const linksOf = async ({ token }: Sharer) => json(await call(server, '/api/shares', { token }))
const grantsOf = async ({ token }: Sharer) => json(await call(server, '/api/grants', { token }))
const folderOf = ({ scope }: Sharer) => scope.split('/').pop() ?? ''

describe('a user who leaves', () => {
  test('hands over files, links and grants, which keep their addresses and names, and is deleted', async () => {
    const [ann, bob, eve] = (await sharers({}, {}, {})) as [Sharer, Sharer, Sharer]
    const link = await linkTo(server, ann.token, '/docs/', { label: 'Trip', password: 'open sesame', maxDownloads: 9 })
    const whole = await linkTo(server, ann.token, '/')
    await give(ann, '/docs', toUser(eve))
    await give(ann, '/docs-2', toUser(bob))
    expect(await namesIn(eve, `${SHARED}/docs`)).toContain('one.txt')
    const theirs = await linkTo(server, admin.token, `${ann.scope}/a.txt`)

    const answer = await handOver(ann, { to: bob.id, move: true })
    expect([answer.status, json(answer)]).toEqual([200, { folder: `/${folderOf(ann)}`, left: 0 }])
    expect((await admin.remove(ann.id)).status).toBe(200)

    expect(await readFile(join(bob.home, folderOf(ann), 'docs/one.txt'), 'utf8')).toBe('docs/one.txt')
    expect(json(await viewShare(server, link.hash, '', '', withPassword('open sesame')))).toMatchObject({
      ...{ name: 'docs', downloadsLeft: 9 },
    })
    expect((await load(server, whole.hash, '/a.txt')).text).toBe('a.txt')
    expect((await load(server, theirs.hash)).text).toBe('a.txt')
    expect((await linksOf(bob)).map(({ path, label }: { path: string; label?: string }) => [path, label])).toEqual(
      expect.arrayContaining([
        [`/${folderOf(ann)}/docs/`, 'Trip'],
        [`/${folderOf(ann)}/`, undefined],
      ]),
    )
    expect(await namesIn(eve, `${SHARED}/docs`)).toContain('one.txt')
    expect((await grantsOf(bob)).map(({ path }: { path: string }) => path)).toEqual([`/${folderOf(ann)}/docs`])
  })

  test('leaves the files where they are, and hands over what the other user has', async () => {
    const ann = await newSharer(server, admin)
    const [bob] = (await sharers({ scope: ann.scope })) as [Sharer]
    const [eve] = (await sharers({})) as [Sharer]
    const link = await linkTo(server, ann.token, '/docs/')
    await give(ann, '/docs', toUser(eve), VIEW)
    expect(json(await handOver(ann, { to: eve.id }))).toEqual({ left: 2 })
    expect(json(await handOver(ann, { to: bob.id }))).toEqual({ left: 0 })
    await admin.remove(ann.id)
    expect((await load(server, link.hash, '/one.txt')).text).toBe('docs/one.txt')
    expect(await namesIn(eve, `${SHARED}/docs`)).toContain('one.txt')
  })

  test('keeps everything where the folder cannot be moved', async () => {
    const [ann, bob] = (await sharers({}, {})) as [Sharer, Sharer]
    const [guest] = (await sharers({ scope: `${ann.scope}/docs` })) as [Sharer]
    const link = await linkTo(server, ann.token, '/a.txt')
    expect((await handOver(ann, { to: bob.id, move: true })).text).toContain('move: the folder is also that of another')
    await admin.remove(guest.id)
    expect((await handOver(ann, { to: ann.id, move: true })).status).toBe(400)
    const [reader] = (await sharers({ perm: perm('download') })) as [Sharer]
    expect((await handOver(ann, { to: reader.id, move: true })).text).toContain('to: must be allowed to share')
    expect((await handOver(ann, { to: 999_999, move: true })).status).toBe(404)
    expect((await handOver({ id: 999_999 }, { to: bob.id })).status).toBe(404)
    for (const body of [{}, { to: 'x' }, { to: 0 }]) expect((await handOver(ann, body)).status).toBe(400)
    expect((await load(server, link.hash)).text).toBe('a.txt')
    expect((await linksOf(ann)).length).toBe(1)
  })

  test('is handed over by administrators only', async () => {
    const [ann, bob] = (await sharers({}, {})) as [Sharer, Sharer]
    expect((await handOver(ann, { to: bob.id }, ann.token)).status).toBe(403)
    expect((await send(server, 'POST', `/api/users/${ann.id}/handover`, undefined, { to: bob.id })).status).toBe(401)
    expect((await handOver(ann, { to: bob.id, current_password: GOOD_PASSWORD })).status).toBe(400)
    const log = json(await call(server, '/api/audit?action=user.change', { token: admin.token }))
    expect(log.rows[0]).toMatchObject({ target: `${ann.name} → ${bob.name}` })
  })
})
