import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isPostgres } from '../../server/db/address.ts'
import { copyDb } from '../../server/db/backup.ts'
import { MOUNT_RIGHTS, type Mount } from '../../shared/api/mounts.ts'
import { GOOD_PASSWORD, manager, newcomer, perm, send } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { withRoot } from '../api/further-root.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'

/** Files of a job that a token orders: too many to copy before the token ends. */
const FILES = 4000

const { disk, ...start } = await withRoot()
const server = await serve(start)
const admin = await manager(server)

const someone = () => newcomer(server, admin, { perm: perm('create', 'modify', 'rename', 'delete', 'download') })

async function make(session: string, fields: object = {}): Promise<{ id: string; token: string }> {
  const body = { label: 'Laptop', scopes: ['write'], current_password: GOOD_PASSWORD, ...fields }
  const answer = await send(server, 'POST', '/api/tokens', session, body)
  if (answer.status !== 201) throw new Error(`no token: ${answer.status} ${answer.text}`)
  return json(answer)
}

test('PAT-04 a job that runs stops when its token ends, and its account sees why', async () => {
  const { token: session } = await someone()
  const folder = join(server.root, 'many')
  await mkdir(folder)
  for (let file = 0; file < FILES; file += 1) await writeFile(join(folder, `${file}.txt`), 'x')
  const { id, token } = await make(session)
  const items = [{ from: '/many', to: '/copied' }]
  const job = json(await send(server, 'POST', '/api/jobs', token, { kind: 'copy', items }))
  const jobs = jobsOf(server, { token: session })
  await expect.poll(async () => json(await jobs.get(job.id)).progress?.entries ?? 0, { interval: 5 }).toBeGreaterThan(0)
  expect((await call(server, `/api/tokens/${id}`, { method: 'DELETE', token: session })).status).toBe(204)
  expect((await jobsOf(server, { token }).get(job.id)).status).toBe(401)
  expect(await jobs.ended(job.id)).toMatchObject({ state: 'cancelled', code: 'session_ended' })
  expect(await readdir(server.root)).not.toContain('copied')
})

test('PAT-05 a token of a mount reaches the mount alone, and nothing once its account loses the mount', async () => {
  await mkdir(join(disk, 'inner'))
  await writeFile(join(disk, 'inner/two.txt'), 'two')
  await writeFile(join(disk, 'one.txt'), 'one')
  await writeFile(join(server.root, 'own.txt'), 'own')
  const { id, token: session } = await someone()
  const added = await send(server, 'POST', '/api/mounts', admin.token, { name: 'Team', root: 'media', folder: '/' })
  const access = `/api/mounts/${(json(added) as Mount).id}/access/user/${id}`
  expect((await send(server, 'PUT', access, admin.token, { rights: MOUNT_RIGHTS })).status).toBe(204)
  const { token } = await make(session, { folders: ['/Team/inner'] })
  const read = (path: string) => call(server, `/api/raw${path}`, { token })
  const write = (path: string) => call(server, `/api/resources${path}`, { method: 'POST', token, body: 'new' })
  expect([(await read('/Team/inner/two.txt')).text, (await write('/Team/inner/new.txt')).status]).toEqual(['two', 200])
  for (const path of ['/Team/one.txt', '/own.txt', '/Team/inner/../one.txt'])
    expect([path, (await read(path)).status >= 400]).toEqual([path, true])
  expect((await write('/Team/new.txt')).status).toBeGreaterThanOrEqual(400)
  expect((await write('/new.txt')).status).toBeGreaterThanOrEqual(400)

  expect((await call(server, access, { method: 'DELETE', token: admin.token })).status).toBe(204)
  expect((await read('/Team/inner/two.txt')).status).toBeGreaterThanOrEqual(400)
  expect((await write('/Team/inner/late.txt')).status).toBeGreaterThanOrEqual(400)
  expect(await readdir(join(disk, 'inner'))).toEqual(['new.txt', 'two.txt'])
})

test('PAT-11 a token of a folder in a mount follows it there, and reaches no other folder of its name', async () => {
  const { id, token: session } = await someone()
  await mkdir(join(disk, 'scans/2030'), { recursive: true })
  const mount = { name: 'Papers', root: 'media', folder: '/scans' }
  const added = json(await send(server, 'POST', '/api/mounts', admin.token, mount)) as Mount
  await send(server, 'PUT', `/api/mounts/${added.id}/access/user/${id}`, admin.token, { rights: MOUNT_RIGHTS })
  const { token } = await make(session, { folders: ['/Papers/2030'] })
  const status = async (path: string) => (await call(server, `/api/resources${path}`, { token })).status
  expect(await status('/Papers/2030')).toBe(200)
  const to = encodeURIComponent('/Papers/archive')
  const renamed = await call(server, `/api/resources/Papers/2030?action=rename&destination=${to}`, {
    method: 'PATCH',
    token: session,
  })
  expect(renamed.status).toBe(200)
  await mkdir(join(disk, 'scans/2030'))
  expect([await status('/Papers/archive'), await status('/Papers/2030')]).toEqual([200, 403])
  const tokens = json(await call(server, '/api/tokens', { token: session }))
  expect(tokens).toMatchObject([{ folders: ['/Papers/archive'], confined: true }])
})

test.runIf(!isPostgres(server.database))('PAT-06 neither a page nor a backup contains a token', async () => {
  const { token: session } = await someone()
  const { token } = await make(session)
  const headers = { Authorization: `Bearer ${token}`, Cookie: `auth=${token}`, Referer: `${server.url}/?auth=${token}` }
  for (const path of ['/', '/login', '/files/', `/files/?auth=${token}`, `/share/${token}`]) {
    const page = await call(server, path, { headers })
    expect([path, page.text.includes(token)]).toEqual([path, false])
  }
  const backup = join(server.home, 'backup.db')
  await copyDb(server.database, backup)
  const stored = await readFile(backup, 'latin1')
  expect([stored.includes('flg_'), stored.includes(token.slice(4))]).toEqual([false, false])
})
