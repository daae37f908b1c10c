import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
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
