import { expect, test } from 'vitest'
import { EFFECTS } from '../../shared/permissions.ts'
import { call, json } from './client.ts'
import { EDIT, openSharing, SHARED, type Sharer, VIEW } from './sharing.ts'

const { server, admin, pair, give, toUser, newFolder, giver, taker } = await openSharing()

const why = async ({ token }: Pick<Sharer, 'token'>, path: string, action: string, more = '') =>
  json(await call(server, `/api/why?path=${encodeURIComponent(path)}&action=${action}${more}`, { token }))

test('GRA-01 the reason in what another user shares names that user, and nothing above it', async () => {
  const { ann, bob, at, name } = await pair(VIEW)
  const place = { kind: 'shared', path: at, owner: ann.name }
  expect((await why(bob, `${at}/one.txt`, 'read')).steps).toEqual([
    { check: 'place', ok: true, place },
    { check: 'permission', ok: true },
    { check: 'rule', ok: true, by: 'none' },
    { check: 'file', ok: true },
    { check: 'mode', ok: true },
  ])
  expect((await why(bob, `${at}/one.txt`, 'remove')).steps).toEqual([
    { check: 'place', ok: true, place },
    { check: 'permission', ok: false, missing: ['delete'] },
  ])
  const answers = await Promise.all(EFFECTS.map(action => why(bob, `${at}/one.txt`, action)))
  expect(JSON.stringify(answers).replaceAll(at, '')).not.toContain(name)
})

test('GRA-01 the reason is a rule of the owner, also for what does not exist, and its text is for no recipient', async () => {
  const { ann, bob, at, name } = await pair(EDIT)
  const rules = [{ regex: false, allow: false, path: `/${name}/sub`, regexp: null }]
  await admin.update(ann.id, ['rules'], { rules })
  const [there, missing] = [await why(bob, `${at}/sub/two.txt`, 'read'), await why(bob, `${at}/sub/none`, 'read')]
  await admin.update(ann.id, ['rules'], { rules: [] })
  expect(there.steps.at(-1)).toEqual({ check: 'rule', ok: false, by: 'owner' })
  expect(missing).toEqual(there)
})

test('GRA-01 the folder of what is shared, and an entry in it, stay for a reason', async () => {
  const { bob, at } = await pair(EDIT)
  expect((await why(bob, SHARED, 'list')).allowed).toBe(true)
  expect((await why(bob, SHARED, 'remove')).steps).toEqual([
    { check: 'place', ok: false, code: 'forbidden', place: { kind: 'shared', path: SHARED } },
  ])
  expect((await why(bob, at, 'remove')).steps.at(-1)).toMatchObject({ check: 'place', ok: false, code: 'forbidden' })
  expect((await why(bob, `${SHARED}/none`, 'read')).allowed).toBe(false)
})

test('GRA-01 of a single file the reason is about that file only', async () => {
  const name = await newFolder(giver)
  expect((await give(giver, `/${name}/one.txt`, toUser(taker), EDIT)).status).toBe(201)
  const items = json(await taker.files.get(`${SHARED}/`)).items as { path: string; isDir: boolean }[]
  const at = items.find(({ isDir }) => !isDir)?.path ?? ''
  for (const action of ['read', 'replace'])
    expect([action, (await why(taker, at, action)).allowed]).toEqual([action, true])
  for (const action of ['rename', 'remove'])
    expect((await why(taker, at, action)).steps.at(-1)).toMatchObject({ check: 'place', ok: false })
})
