import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { LinkPolicy } from '../../shared/api/access-settings.ts'
import type { Change, ChangePage, UndoAnswer } from '../../shared/api/changes.ts'
import { manager, send } from './accounts.ts'
import { type Answer, call, json } from './client.ts'
import { openInstance } from './instance.ts'
import { linkTo, viewShare, withPassword } from './links-client.ts'
import { newSharer } from './sharers.ts'

const server = await openInstance()
const admin = await manager(server)

const remove = (token: string, hash: string) => call(server, `/api/share/${hash}`, { method: 'DELETE', token })
const undo = async (token: string, change: string | null, body: object = {}): Promise<UndoAnswer> => {
  const answer = await send(server, 'POST', `/api/changes/${change}/undo`, token, body)
  if (answer.status !== 200) throw new Error(`the undo was answered ${answer.status} ${answer.text}`)
  return json(answer)
}
const changeOf = ({ headers }: Answer) => headers.get('X-Change')
const changesOf = async (token: string): Promise<Change[]> =>
  (json(await call(server, '/api/changes', { token })) as ChangePage).items
const linksOf = async (token: string) => json(await call(server, '/api/shares', { token }))
const opens = async (hash: string, password?: string) =>
  (await viewShare(server, hash, '', '', password === undefined ? {} : withPassword(password))).status

describe('a deleted share link', () => {
  test('comes back by the undo, with its password, and goes again by the redo', async () => {
    const ann = await newSharer(server, admin)
    const link = await linkTo(server, ann.token, '/docs/', { password: 'first' })
    const removed = await remove(ann.token, link.hash)
    expect([await opens(link.hash, 'first'), await linksOf(ann.token)]).toEqual([404, []])
    const undone = await undo(ann.token, changeOf(removed))
    expect(undone.results).toMatchObject([{ state: 'done' }])
    expect([await opens(link.hash), await opens(link.hash, 'first')]).toEqual([401, 200])
    expect(await linksOf(ann.token)).toMatchObject([link])
    expect((await undo(ann.token, undone.change ?? '')).results).toMatchObject([{ state: 'done' }])
    expect([await opens(link.hash, 'first'), await linksOf(ann.token)]).toEqual([404, []])
    expect((await undo(ann.token, changeOf(removed))).results).toMatchObject([{ state: 'done' }])
    expect(await opens(link.hash, 'first')).toBe(200)
  })

  test('does not come back once its file is another one', async () => {
    const ann = await newSharer(server, admin)
    const { hash } = await linkTo(server, ann.token, '/docs/one.txt')
    const removed = await remove(ann.token, hash)
    const docs = join(server.root, ann.scope, 'docs')
    await writeFile(join(docs, 'other'), 'other')
    await rename(join(docs, 'other'), join(docs, 'one.txt'))
    const { verdicts } = await undo(ann.token, changeOf(removed), { dry: true })
    expect(verdicts).toMatchObject([{ kind: 'link', can: false, why: 'gone' }])
    expect(await opens(hash)).toBe(404)
  })

  test('gives its name to a new link, and does not come back then', async () => {
    const ann = await newSharer(server, admin)
    const named = { password: 'first', slug: `undo-${ann.name.toLowerCase()}`.replaceAll(/[^a-z0-9-]/g, '-') }
    const { hash } = await linkTo(server, ann.token, '/docs', named)
    const removed = await remove(ann.token, hash)
    await linkTo(server, ann.token, '/docs', named)
    expect((await undo(ann.token, changeOf(removed))).results).toMatchObject([{ state: 'failed', code: 'gone' }])
  })
})

test('the undo of a link that was made deletes it', async () => {
  const ann = await newSharer(server, admin)
  const made = await send(server, 'POST', '/api/share/docs/', ann.token, {})
  const { hash } = json(made)
  expect(await opens(hash)).toBe(200)
  const undone = await undo(ann.token, changeOf(made))
  expect(undone.results).toMatchObject([{ state: 'done' }])
  expect(await opens(hash)).toBe(404)
  await undo(ann.token, undone.change ?? '')
  expect(await opens(hash)).toBe(200)
})

test('the owner and administrators see these changes, and no other user of the folder', async () => {
  const ann = await newSharer(server, admin)
  const made = await send(server, 'POST', '/api/share/docs/', ann.token, {})
  const removed = await remove(ann.token, json(made).hash)
  const undone = await undo(ann.token, changeOf(removed))
  const ids = [changeOf(made), changeOf(removed), undone.change]
  const ben = await newSharer(server, admin, { scope: ann.scope })
  expect((await changesOf(ann.token)).map(({ id, kind }) => [id, kind])).toEqual([
    [undone.change, 'undo'],
    [changeOf(removed), 'unlink'],
    [changeOf(made), 'link'],
  ])
  const seen = async (token: string) => (await changesOf(token)).filter(({ id }) => ids.includes(id))
  expect(await seen(ben.token)).toEqual([])
  expect((await call(server, `/api/changes/${changeOf(removed)}`, { token: ben.token })).status).toBe(404)
  expect((await call(server, '/api/activity/docs/', { token: ben.token })).text).not.toContain('unlink')
  expect(await seen(admin.token)).toHaveLength(3)
  expect(JSON.stringify(await seen(admin.token))).not.toContain(json(made).hash)
})

describe('the changed settings of a share link', () => {
  const change = (token: string, hash: string, body: object) => send(server, 'PATCH', `/api/links/${hash}`, token, body)
  const verdictsOf = async (token: string, id: string | null) => (await undo(token, id, { dry: true })).verdicts
  const demandPasswords = async (password: LinkPolicy['password']) => {
    const links: LinkPolicy = { kinds: ['view', 'edit', 'drop'], password, maxDays: 0, slugs: 'locked' }
    expect((await send(server, 'PUT', '/api/settings/access', admin.token, { links })).status).toBe(204)
  }
  const tomorrow = Math.floor(Date.now() / 1000) + 86_400

  test('come back by the undo, and again by the redo', async () => {
    const ann = await newSharer(server, admin)
    const link = await linkTo(server, ann.token, '/docs/', { label: 'first', maxDownloads: 3 })
    const done = await change(ann.token, link.hash, { label: 'second', note: 'Hello', maxDownloads: 9 })
    expect((await changesOf(ann.token)).at(0)).toMatchObject({
      id: changeOf(done),
      kind: 'relink',
      undo: { can: true },
    })
    const undone = await undo(ann.token, changeOf(done))
    expect(undone.results).toMatchObject([{ state: 'done' }])
    expect(await linksOf(ann.token)).toMatchObject([link])
    expect((await linksOf(ann.token))[0]).not.toHaveProperty('note')
    const again = await undo(ann.token, undone.change ?? '', { offer: 'settings' })
    expect(again.results).toMatchObject([{ state: 'done' }])
    expect(await linksOf(ann.token)).toMatchObject([{ label: 'second', note: 'Hello', maxDownloads: 9 }])
  })

  test('are named in the step, and in that of the undo, without their values', async () => {
    const ann = await newSharer(server, admin)
    const { hash } = await linkTo(server, ann.token, '/docs/', { password: 'first', expires: '1', unit: 'days' })
    const done = await change(ann.token, hash, { password: null, expire: tomorrow + 86_400, note: 'Hello' })
    const stepOf = async (id: string | null) =>
      json(await call(server, `/api/changes/${id}`, { token: ann.token })).steps[0].settings
    expect(await stepOf(changeOf(done))).toEqual(['passwordRemoved', 'endsLater', 'messageChanged'])
    const undone = await undo(ann.token, changeOf(done))
    expect(await stepOf(undone.change ?? '')).toEqual(['passwordSet', 'endsEarlier', 'messageChanged'])
    const [first] = json(await call(server, '/api/activity/docs/', { token: ann.token })).items
    expect(first.step.settings).toEqual(['passwordSet', 'endsEarlier', 'messageChanged'])
  })

  test('a request that changes nothing is not recorded', async () => {
    const ann = await newSharer(server, admin)
    const { hash } = await linkTo(server, ann.token, '/docs/', { label: 'first' })
    expect(changeOf(await change(ann.token, hash, { label: 'first' }))).toBeNull()
  })

  test('an earlier password opens the link only after a decision, and is in no response', async () => {
    const ann = await newSharer(server, admin)
    const { hash } = await linkTo(server, ann.token, '/docs/', { password: 'first' })
    const id = changeOf(await change(ann.token, hash, { password: 'second' }))
    expect(await verdictsOf(ann.token, id)).toMatchObject([{ can: false, why: 'reopens', offers: ['settings'] }])
    expect((await undo(ann.token, id)).results).toMatchObject([{ state: 'failed', code: 'reopens' }])
    expect([await opens(hash, 'first'), await opens(hash, 'second')]).toEqual([401, 200])
    expect((await undo(ann.token, id, { offer: 'settings' })).results).toMatchObject([{ state: 'done' }])
    expect([await opens(hash, 'first'), await opens(hash, 'second')]).toEqual([200, 401])
    for (const path of [`/api/changes/${id}`, '/api/changes', '/api/changes/export', '/api/audit'])
      expect((await call(server, path, { token: admin.token })).text).not.toContain('$argon2')
  })

  test.each([
    ['a password', {}, { password: 'new' }],
    ['an earlier end', {}, { expire: tomorrow }],
    ['a pause', {}, { paused: true }],
    ['fewer downloads', { maxDownloads: 9 }, { maxDownloads: 3 }],
    ['previews only', {}, { previewOnly: true }],
    ['fewer rights', { kind: 'edit', rights: ['create', 'modify'] }, { rights: ['create'] }],
    ['smaller files', { kind: 'drop' }, { maxFileBytes: 9 }],
  ])('the undo of %s needs a decision, that of the opposite none', async (_what, made, narrower) => {
    const ann = await newSharer(server, admin)
    const { hash } = await linkTo(server, ann.token, '/docs/', made)
    const id = changeOf(await change(ann.token, hash, narrower))
    expect(await verdictsOf(ann.token, id)).toMatchObject([{ can: false, why: 'reopens' }])
    const wide = await undo(ann.token, id, { offers: { 0: 'settings' } })
    expect(wide.results).toMatchObject([{ state: 'done' }])
    expect(await verdictsOf(ann.token, wide.change ?? '')).toMatchObject([{ can: true }])
  })

  test('a link without a password gets the former one back without a question', async () => {
    const ann = await newSharer(server, admin)
    const { hash } = await linkTo(server, ann.token, '/docs/', { password: 'first' })
    const id = changeOf(await change(ann.token, hash, { password: null }))
    expect(await opens(hash)).toBe(200)
    expect((await undo(ann.token, id)).results).toMatchObject([{ state: 'done' }])
    expect([await opens(hash), await opens(hash, 'first')]).toEqual([401, 200])
  })

  test('what was changed again since needs a decision; other settings stay', async () => {
    const ann = await newSharer(server, admin)
    const { hash } = await linkTo(server, ann.token, '/docs/', { label: 'first' })
    const id = changeOf(await change(ann.token, hash, { label: 'second' }))
    await change(ann.token, hash, { note: 'Hello' })
    expect(await verdictsOf(ann.token, id)).toMatchObject([{ can: true }])
    await change(ann.token, hash, { label: 'third' })
    expect(await verdictsOf(ann.token, id)).toMatchObject([{ why: 'changed_since', offers: ['settings'] }])
    await undo(ann.token, id, { offer: 'settings' })
    expect(await linksOf(ann.token)).toMatchObject([{ label: 'first', note: 'Hello' }])
  })

  test('do not come back once their end is over, the name is that of another link, or the link was deleted', async () => {
    const ann = await newSharer(server, admin)
    const slug = `set-${ann.name.toLowerCase()}`.replaceAll(/[^a-z0-9-]/g, '-')
    const { hash } = await linkTo(server, ann.token, '/docs/', { password: 'p', slug })
    const renamed = changeOf(await change(ann.token, hash, { slug: `${slug}-2` }))
    await linkTo(server, ann.token, '/docs/', { password: 'p', slug })
    expect(await verdictsOf(ann.token, renamed)).toMatchObject([{ can: false, why: 'gone' }])
    const labelled = changeOf(await change(ann.token, hash, { label: 'other' }))
    await remove(ann.token, hash)
    expect(await verdictsOf(ann.token, labelled)).toMatchObject([{ can: false, why: 'gone' }])
  })

  test('follow what administrators allow now', async () => {
    const ann = await newSharer(server, admin)
    const { hash } = await linkTo(server, ann.token, '/docs/')
    const id = changeOf(await change(ann.token, hash, { password: 'new' }))
    onTestFinished(() => demandPasswords('optional'))
    await demandPasswords('required')
    const { results } = await undo(ann.token, id, { offer: 'settings' })
    expect(results).toMatchObject([{ state: 'failed', code: 'forbidden' }])
    expect(await opens(hash)).toBe(401)
  })

  test('of another user’s link come back only by an administrator', async () => {
    const ann = await newSharer(server, admin)
    const { hash } = await linkTo(server, ann.token, '/docs/', { label: 'first' })
    const id = changeOf(await change(admin.token, hash, { label: 'second' }))
    expect((await call(server, `/api/changes/${id}`, { token: ann.token })).status).toBe(404)
    expect((await undo(admin.token, id)).results).toMatchObject([{ state: 'done' }])
    expect(await linksOf(ann.token)).toMatchObject([{ label: 'first' }])
  })
})
