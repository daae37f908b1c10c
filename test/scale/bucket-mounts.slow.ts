import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MOUNT_RIGHTS, type Mount } from '../../shared/api/mounts.ts'
import { type Manager, manager, send } from '../api/accounts.ts'
import { call, encode, json, type Person, person } from '../api/client.ts'
import { type OwnServer, uniqueName } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { hasS3, sharedS3 } from './s3-store.ts'

describe.runIf(hasS3)('ROOT-01 a mount in a bucket, with a home in a folder', () => {
  let server: OwnServer
  let admin: Manager
  let files: Person
  let folder: string

  beforeAll(async () => {
    const { addressOf, credentials } = await sharedS3()
    folder = await mkdtemp(join(tmpdir(), 'filigree-mounts-'))
    const config = join(folder, 'roots.json')
    const { accessKey: s3AccessKey, secretKey: s3SecretKey } = credentials
    const scans = { at: addressOf(uniqueName('scans')), s3AccessKey, s3SecretKey }
    await writeFile(config, JSON.stringify({ roots: { scans } }))
    server = await serve({ args: ['--config', config] })
    admin = await manager(server)
    files = await person(server)
    const body = { name: 'Scans', root: 'scans', folder: '/team', make: true }
    const made = await send(server, 'POST', '/api/mounts', admin.token, body)
    if (made.status !== 201) throw new Error(`the mount was not made: ${made.status} ${made.text}`)
    const users: { id: number }[] = json(await admin.list())
    const access = `/api/mounts/${(json(made) as Mount).id}/access/user/${users[0]?.id}`
    expect((await send(server, 'PUT', access, admin.token, { rights: MOUNT_RIGHTS })).status).toBeLessThan(300)
  }, 240_000)

  afterAll(() => rm(folder, { recursive: true }))

  const namesIn = async (path: string): Promise<string[]> =>
    json(await files.get(path))
      .items.map(({ name }: { name: string }) => name)
      .sort()

  test('stores, lists and finds files, and is a bucket in the list of roots', async () => {
    expect((await files.put('/Scans/sub/one.txt', 'one')).status).toBe(200)
    expect((await files.raw('/Scans/sub/one.txt')).text).toBe('one')
    expect(await namesIn('/Scans/')).toContain('sub')
    const found = await call(server, '/api/search/?query=one.txt', { token: files.token })
    expect(found.text).toContain('Scans/sub/one.txt')
    const roots = json(await call(server, '/api/roots', { token: admin.token }))
    expect(roots).toMatchObject([{ name: 'scans', kind: 'bucket', available: true, room: null, mounts: 1 }])
  })

  test('takes a folder from the home by a job and gives it back, with the same content', async () => {
    const jobs = jobsOf(server, files)
    await files.put('/out/a.txt', 'alpha')
    await files.put('/out/deep/b.txt', 'beta')
    const there = await jobs.run({ kind: 'move', items: [{ from: '/out', to: '/Scans/in' }] })
    expect(there.items).toMatchObject([{ state: 'done' }])
    expect((await files.get('/out/')).status).toBe(404)
    expect((await files.raw('/Scans/in/deep/b.txt')).text).toBe('beta')
    const back = await jobs.run({ kind: 'move', items: [{ from: '/Scans/in', to: '/back' }] })
    expect(back.items).toMatchObject([{ state: 'done' }])
    expect((await files.get('/Scans/in/')).status).toBe(404)
    expect((await files.raw('/back/deep/b.txt')).text).toBe('beta')
  })

  test('keeps what is deleted in the bucket, and restores it to there', async () => {
    await files.put('/Scans/kept.txt', 'kept')
    const id = (await files.remove('/Scans/kept.txt')).headers.get('X-Kept')
    expect((await files.raw('/Scans/kept.txt')).status).toBe(404)
    const { items } = json(await call(server, '/api/trash', { token: files.token }))
    expect(items).toMatchObject([{ id, path: '/Scans/kept.txt' }])
    await send(server, 'POST', '/api/trash/restore', files.token, { items: [{ id }] })
    expect((await files.raw(encode('/Scans/kept.txt'))).text).toBe('kept')
    expect((await namesIn('/Scans/')).filter(name => name.startsWith('.filigree'))).toEqual([])
  })
})
