import { cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, send } from './accounts.ts'
import { call, encode, json } from './client.ts'
import { uniqueName } from './harness.ts'
import { KEEPS_DELETED } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { share } from './links-client.ts'
import { newSharer } from './sharers.ts'
import { EDIT, openSharing, SHARED, type Sharer } from './sharing.ts'

const { server, admin, give, toUser, move, newFolder } = await openSharing()

/** A user with a folder, and a token that is confined to it. */
async function confined(more: readonly string[] = []) {
  const ann = await newSharer(server, admin)
  const name = await newFolder(ann)
  return { ann, name, disk: join(ann.home, name), ...(await make(ann, [`/${name}`, ...more])) }
}

async function make({ token }: Sharer, folders: readonly string[], scopes = ['write', 'share']) {
  const body = { label: 'Scanner', scopes, folders, current_password: GOOD_PASSWORD }
  const answer = await send(server, 'POST', '/api/tokens', token, body)
  if (answer.status !== 201) throw new Error(`no token: ${answer.status} ${answer.text}`)
  return { id: json(answer).id as string, secret: json(answer).token as string }
}

const statusOf = async (secret: string, path: string) =>
  (await call(server, `/api/resources${encode(path)}`, { token: secret })).status
const writes = async (secret: string, path: string) =>
  (await call(server, `/api/resources${encode(path)}`, { method: 'POST', token: secret, body: 'x' })).status
const remove = ({ token }: Pick<Sharer, 'token'>, path: string) =>
  call(server, `/api/resources${encode(path)}`, { method: 'DELETE', token })
const create = ({ token }: Pick<Sharer, 'token'>, path: string) =>
  call(server, `/api/resources${encode(path)}/`, { method: 'POST', token })
const shown = async ({ token }: Sharer, id: string) =>
  json(await call(server, '/api/tokens', { token })).find((one: { id: string }) => one.id === id)
const self = async (secret: string) => json(await call(server, '/api/tokens/self', { token: secret }))

/** Nothing answers to the token, neither in the folder nor around it. */
async function expectNothing(secret: string, path: string) {
  for (const target of [path, `${path}/one.txt`, `${path}/sub`, '/', '/docs'])
    expect([target, await statusOf(secret, target)]).toEqual([target, 403])
  expect(await writes(secret, `${path}/new.txt`)).toBe(403)
  expect(await writes(secret, '/new.txt')).toBe(403)
}

describe('PAT-11 a folder that is removed and made again is not reached by the token of the former one', () => {
  test('where its user does both', async () => {
    const { ann, name, id, secret } = await confined()
    expect([await statusOf(secret, `/${name}`), await writes(secret, `/${name}/a.txt`)]).toEqual([200, 200])
    expect((await remove(ann, `/${name}`)).status).toBe(204)
    expect((await create(ann, `/${name}`)).status).toBe(200)
    await expectNothing(secret, `/${name}`)
    expect(await shown(ann, id)).toMatchObject({ folders: [], confined: true })
    expect(await self(secret)).toMatchObject({ folders: [], confined: true })
  })

  test('where an administrator does both', async () => {
    const { ann, name, secret } = await confined()
    expect((await remove(admin, `${ann.scope}/${name}`)).status).toBe(204)
    expect((await create(admin, `${ann.scope}/${name}`)).status).toBe(200)
    await expectNothing(secret, `/${name}`)
  })

  test('where another program does both, and the former one is reached when it is back', async () => {
    const { ann, name, id, disk, secret } = await confined()
    await rename(disk, `${disk}.old`)
    expect(await statusOf(secret, `/${name}`)).toBe(403)
    await mkdir(join(disk, 'sub'), { recursive: true })
    await writeFile(join(disk, 'one.txt'), 'new')
    await expectNothing(secret, `/${name}`)
    expect((await shown(ann, id)).folders).toEqual([])
    await rm(disk, { recursive: true })
    await rename(`${disk}.old`, disk)
    expect(await statusOf(secret, `/${name}`)).toBe(200)
    expect((await shown(ann, id)).folders).toEqual([`/${name}`])
  })

  test.runIf(KEEPS_DELETED)('where it is deleted for good', async () => {
    const { ann, name, id, secret } = await confined()
    const kept = (await remove(ann, `/${name}`)).headers.get('X-Kept')
    await send(server, 'POST', '/api/trash/purge', ann.token, { ids: [kept] })
    await create(ann, `/${name}`)
    await expectNothing(secret, `/${name}`)
    expect(await shown(ann, id)).toMatchObject({ folders: [], confined: true })
  })

  test('where a copy takes its name', async () => {
    const { ann, name, disk, secret } = await confined()
    expect((await move(ann, 'copy', `/${name}`, '/copy')).status).toBe(200)
    expect(await statusOf(secret, '/copy')).toBe(403)
    await remove(ann, `/${name}`)
    expect((await move(ann, 'rename', '/copy', `/${name}`)).status).toBe(200)
    await expectNothing(secret, `/${name}`)
    await rm(disk, { recursive: true })
  })

  test('where the folders above it are others', async () => {
    const ann = await newSharer(server, admin)
    const { secret } = await make(ann, ['/docs/sub'])
    await rename(join(ann.home, 'docs'), join(ann.home, 'docs-old'))
    await cp(join(ann.home, 'docs-old'), join(ann.home, 'docs'), { recursive: true })
    await expectNothing(secret, '/docs/sub')
  })

  test('where a symbolic link takes its name', async () => {
    const { ann, name, disk, secret } = await confined()
    await rename(disk, `${disk}.old`)
    await symlink(join(ann.home, 'docs'), disk)
    await expectNothing(secret, `/${name}`)
  })

  test('neither are links, grants and jobs of it', async () => {
    const { ann, name, disk, secret } = await confined()
    const bob = await newSharer(server, admin)
    await rename(disk, `${disk}.old`)
    await cp(`${disk}.old`, disk, { recursive: true })
    expect((await share(server, secret, `/${name}/one.txt`)).status).toBe(403)
    const link = json(await share(server, ann.token, `/${name}/one.txt`))
    const grant = json(await give(ann, `/${name}`, toUser(bob)))
    expect(json(await call(server, '/api/shares', { token: secret }))).toEqual([])
    expect((await call(server, `/api/share/${link.hash}`, { method: 'DELETE', token: secret })).status).toBe(404)
    expect(json(await call(server, '/api/grants', { token: secret }))).toEqual([])
    expect((await call(server, `/api/grants/${grant.id}`, { method: 'DELETE', token: secret })).status).toBe(404)
    const items = [{ from: `/${name}/one.txt`, to: `/${name}/two.txt` }]
    const runAt = new Date(Date.now() + 3_600_000).toISOString()
    const job = json(await send(server, 'POST', '/api/jobs', ann.token, { kind: 'copy', items, runAt }))
    expect(json(await call(server, '/api/jobs', { token: secret }))).toEqual([])
    expect((await jobsOf(server, { token: secret }).get(job.id)).status).toBe(404)
    await call(server, `/api/jobs/${job.id}/cancel`, { method: 'POST', token: ann.token })
  })

  test('nor by a session that the token started', async () => {
    const { ann, name, disk, secret } = await confined()
    const session = (
      await send(server, 'POST', '/api/login', undefined, { username: ann.name, password: secret })
    ).text.trim()
    expect(await statusOf(session, `/${name}`)).toBe(200)
    await rm(disk, { recursive: true })
    await mkdir(disk)
    expect(await statusOf(session, `/${name}`)).toBe(403)
  })
})

describe('PAT-11 a token keeps its folder', () => {
  test('under a new name, at a new place, and where a folder above it is renamed', async () => {
    const { ann, name, id, secret } = await confined()
    const to = uniqueName('renamed')
    expect((await move(ann, 'rename', `/${name}`, `/${to}`)).status).toBe(200)
    expect([await statusOf(secret, `/${to}`), await statusOf(secret, `/${name}`)]).toEqual([200, 403])
    await create(ann, `/${name}`)
    await expectNothing(secret, `/${name}`)
    await move(ann, 'rename', `/${to}`, `/docs/${to}`)
    await move(ann, 'rename', '/docs', '/papers')
    expect(await writes(secret, `/papers/${to}/new.txt`)).toBe(200)
    expect(await statusOf(secret, '/papers')).toBe(403)
    expect((await shown(ann, id)).folders).toEqual([`/papers/${to}`])
  })

  test('that an administrator moves within the home', async () => {
    const { ann, name, secret } = await confined()
    await move(admin, 'rename', `${ann.scope}/${name}`, `${ann.scope}/docs/${name}`)
    expect(await statusOf(secret, `/docs/${name}`)).toBe(200)
  })

  test('not while it is out of the home, and again when it is back', async () => {
    const { ann, name, secret } = await confined()
    const other = await newSharer(server, admin)
    await move(admin, 'rename', `${ann.scope}/${name}`, `${other.scope}/${name}`)
    await create(ann, `/${name}`)
    await expectNothing(secret, `/${name}`)
    await remove(ann, `/${name}`)
    await move(admin, 'rename', `${other.scope}/${name}`, `${ann.scope}/${name}`)
    expect(await statusOf(secret, `/${name}`)).toBe(200)
  })

  test.runIf(KEEPS_DELETED)('that comes back from the trash, and reaches nothing until then', async () => {
    const { ann, name, secret } = await confined()
    const kept = (await remove(ann, `/${name}`)).headers.get('X-Kept')
    await create(ann, `/${name}`)
    await expectNothing(secret, `/${name}`)
    await remove(ann, `/${name}`)
    const restored = await send(server, 'POST', '/api/trash/restore', ann.token, { items: [{ id: kept }] })
    expect(restored.status).toBe(200)
    expect(await statusOf(secret, `/${name}`)).toBe(200)
    expect(await writes(secret, `/${name}/late.txt`)).toBe(200)
  })

  test('while another one of it is gone', async () => {
    const { ann, name, id, secret } = await confined(['/docs-2'])
    expect((await shown(ann, id)).folders.sort()).toEqual(['/docs-2', `/${name}`].sort())
    await remove(ann, '/docs-2')
    expect([await statusOf(secret, '/docs-2'), await statusOf(secret, `/${name}`)]).toEqual([403, 200])
    expect((await shown(ann, id)).folders).toEqual([`/${name}`])
  })

  test('that is shared with its user, where its owner moves what is in it', async () => {
    const [ann, bob] = [await newSharer(server, admin), await newSharer(server, admin)]
    const name = await newFolder(ann)
    expect((await give(ann, `/${name}`, toUser(bob), EDIT)).status).toBe(201)
    const { secret } = await make(bob, [`${SHARED}/${name}/sub`])
    expect(await statusOf(secret, `${SHARED}/${name}/sub`)).toBe(200)
    await move(ann, 'rename', `/${name}/sub`, `/${name}/deeper`)
    expect(await statusOf(secret, `${SHARED}/${name}/deeper`)).toBe(200)
    await move(ann, 'rename', `/${name}/deeper`, '/private')
    await create(ann, `/${name}/deeper`)
    await expectNothing(secret, `${SHARED}/${name}/deeper`)
  })

  test('in a home that is handed over and moved, where the user of the token still has it', async () => {
    const [ann, bob] = [await newSharer(server, admin), await newSharer(server, admin)]
    const own = await make(ann, ['/docs'])
    const body = {
      label: 'x',
      scopes: ['read'],
      folders: [`${ann.scope}/docs`],
      current_password: server.adminPassword,
    }
    const theirs = json(await send(server, 'POST', '/api/tokens', admin.token, body)).token
    const given = await send(server, 'POST', `/api/users/${ann.id}/handover`, admin.token, { to: bob.id, move: true })
    expect(given.status).toBe(200)
    expect(await statusOf(theirs, `${bob.scope}${ann.scope}/docs`)).toBe(200)
    await mkdir(join(ann.home, 'docs'), { recursive: true })
    expect(await statusOf(theirs, `${ann.scope}/docs`)).toBe(403)
    expect(await statusOf(own.secret, '/docs')).toBe(403)
  })

  test('that several requests use at once', async () => {
    const { name, secret } = await confined()
    const answers = await Promise.all(Array.from({ length: 20 }, () => statusOf(secret, `/${name}`)))
    expect(new Set(answers)).toEqual(new Set([200]))
  })
})

test('PAT-11 a token of all files is no token of folders, and a link to the root asks for none', async () => {
  const ann = await newSharer(server, admin)
  await symlink('.', join(ann.home, 'all'))
  await expect(make(ann, ['/all'])).rejects.toThrow('folders: names no folder')
  await symlink('docs', join(ann.home, 'alias'))
  const real = await make(ann, ['/alias'])
  expect((await shown(ann, real.id)).folders).toEqual(['/docs'])
  expect(await statusOf(real.secret, '/docs')).toBe(200)
  const { id, secret } = await make(ann, ['/'])
  expect(await shown(ann, id)).toMatchObject({ folders: [], confined: false })
  expect(await statusOf(secret, '/')).toBe(200)
})

test('PAT-02 a job that a token ordered does nothing in the folder that took the name of its own', async () => {
  const { ann, name, disk, secret } = await confined()
  const items = [{ from: `/${name}/one.txt`, to: `/${name}/copy.txt` }]
  const runAt = new Date(Date.now() + 1500).toISOString()
  const job = json(await send(server, 'POST', '/api/jobs', secret, { kind: 'copy', items, runAt }))
  await rename(disk, `${disk}.old`)
  await cp(`${disk}.old`, disk, { recursive: true })
  const ended = await jobsOf(server, { token: ann.token }).ended(job.id)
  expect(ended.items?.[0] ?? ended).toMatchObject({ state: 'failed' })
  expect((await call(server, `/api/resources/${name}/copy.txt`, { token: ann.token })).status).toBe(404)
})
