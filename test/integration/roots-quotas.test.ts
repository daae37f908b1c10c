import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Mount } from '../../shared/api/mounts.ts'
import type { QuotasAnswer } from '../../shared/api/quotas.ts'
import { GOOD_PASSWORD, type Manager, manager, newcomer, perm, send } from '../api/accounts.ts'
import { call, json, signIn } from '../api/client.ts'
import { withRoot } from '../api/further-root.ts'
import { type OwnServer, startServer, uniqueName } from '../api/harness.ts'

const KIB = 1024
const EDIT = ['download', 'create', 'rename', 'modify', 'delete']
const FULL = [507, 'quota_exceeded']

let server: OwnServer
let admin: Manager
let disk: string

beforeAll(async () => {
  const { home, ...root } = await withRoot()
  disk = root.disk
  server = await startServer({ home, args: [...root.args, '--dav', 'on'] })
  admin = await manager(server)
})

afterAll(() => server.stop())

const ask = (method: string, path: string, body?: unknown) => send(server, method, path, admin.token, body)
const quotas = async (): Promise<QuotasAnswer> => json(await ask('GET', '/api/quotas'))

/** A mount with a file of 2 KiB, and a user who has it. */
async function team() {
  const name = uniqueName('Team')
  await mkdir(join(disk, name))
  await writeFile(join(disk, name, 'old'), Buffer.alloc(2 * KIB))
  const mount: Mount = json(await ask('POST', '/api/mounts', { name, root: 'media', folder: `/${name}` }))
  const scope = `/${uniqueName('home')}`
  await mkdir(join(server.root, scope))
  const user = await newcomer(server, admin, { scope, perm: perm('create', 'rename', 'modify', 'delete', 'download') })
  await ask('PUT', `/api/mounts/${mount.id}/access/user/${user.id}`, { rights: EDIT })
  const token = await signIn(server, user.name, GOOD_PASSWORD)
  const to = (method: string, path: string, body?: string, headers?: Record<string, string>) =>
    call(server, path, { method, token, ...(body !== undefined && { body }), ...(headers && { headers }) })
  const fill = async () => (await quotas()).mounts.find(({ id }) => id === mount.id)
  const limit = async (change: object) => {
    const answer = await ask('PUT', `/api/mounts/${mount.id}`, { name, readOnly: false, ...change })
    await expect.poll(async () => (await fill())?.exact ?? true).toBe(true)
    return answer
  }
  return { ...mount, name, to, fill, limit, at: `/api/resources/${name}`, folder: join(disk, name), user }
}

const QUOTA_PROPERTIES =
  '<D:propfind xmlns:D="DAV:"><D:prop><D:quota-available-bytes/><D:quota-used-bytes/></D:prop></D:propfind>'
const x = (bytes: number) => 'x'.repeat(bytes)
const outcome = ({ status, headers }: Awaited<ReturnType<typeof call>>) => [status, headers.get('x-error-code')]

/** Bytes and items below a folder of the disk. */
async function onDisk(folder: string) {
  const sum = { bytes: 0, items: 0 }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    sum.items += 1
    if (entry.isFile()) sum.bytes += (await stat(join(entry.parentPath, entry.name))).size
  }
  return sum
}

describe('the quota of a mount', () => {
  test('QTA-01 refuses what does not fit by every way, and follows what is deleted and restored', async () => {
    const { to, at, name, fill, limit, folder } = await team()
    expect(json(await limit({ quotaBytes: 5 * KIB })).quota).toEqual({ bytes: 5 * KIB, items: null })
    expect(await fill()).toMatchObject({ limit: 5 * KIB, used: 2 * KIB, exact: true })
    expect((await to('POST', `${at}/a`, x(2 * KIB))).status).toBe(200)
    const refused = await to('POST', `${at}/b`, x(2 * KIB))
    expect([...outcome(refused), refused.headers.get('x-quota')]).toEqual([...FULL, `left=${KIB}`])
    expect(outcome(await to('PUT', `${at}/a`, x(4 * KIB)))).toEqual(FULL)
    expect(outcome(await to('POST', `/api/tus/${name}/t`, undefined, { 'Upload-Length': String(2 * KIB) }))).toEqual(
      FULL,
    )
    expect(outcome(await to('PATCH', `${at}/a?action=copy&destination=/${name}/c`))).toEqual(FULL)
    expect((await to('POST', '/api/resources/own', x(2 * KIB))).status).toBe(200)
    expect(outcome(await to('PATCH', `/api/resources/own?action=rename&destination=/${name}/own`))).toEqual(FULL)
    expect((await readdir(folder)).sort()).toEqual(['a', 'old'])
    expect(json(await to('GET', `/api/usage/${name}/`))).toEqual({ total: 5 * KIB, used: 4 * KIB })
    expect((await to('DELETE', `${at}/old`)).status).toBe(204)
    expect(await fill()).toMatchObject({ used: 2 * KIB })
    const [kept] = json(await to('GET', '/api/trash')).items
    const restored = await to('POST', '/api/trash/restore', JSON.stringify({ items: [{ id: kept.id }] }))
    expect(restored.status).toBe(200)
    expect(await fill()).toMatchObject({ used: 4 * KIB, reserved: 0 })
    expect((await to('PATCH', `/api/resources/own?action=rename&destination=/${name}/own`)).status).toBe(507)
    expect((await to('PATCH', `${at}/a?action=rename&destination=/a`)).status).toBe(200)
    expect(await fill()).toMatchObject({ used: 2 * KIB, reserved: 0 })
  })

  test('QTA-01 lets exactly as many of many uploads in as fit', async () => {
    const { to, at, fill, limit, folder } = await team()
    await limit({ quotaBytes: 12 * KIB })
    const all = await Promise.all(Array.from({ length: 30 }, (_, one) => to('POST', `${at}/f${one}`, x(KIB))))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(all.filter(({ status }) => status === 507)).toHaveLength(20)
    const { bytes, items } = await onDisk(folder)
    expect(await fill()).toMatchObject({ used: bytes, reserved: 0, items: { used: items } })
  })

  test('QTA-09 limits files and folders, and is taken away', async () => {
    const { to, at, fill, limit } = await team()
    await limit({ quotaItems: 2 })
    expect((await to('POST', `${at}/new/`)).status).toBe(200)
    expect(outcome(await to('POST', `${at}/more/`))).toEqual(FULL)
    await limit({ quotaItems: null })
    expect((await to('POST', `${at}/more/`)).status).toBe(200)
    expect(await fill()).toBeUndefined()
  })

  test('QTA-01 refuses what does not fit through WebDAV, which knows how much is left', async () => {
    const { user, name, fill, limit, folder } = await team()
    await limit({ quotaBytes: 5 * KIB })
    const password = Buffer.from(`${user.name}:${GOOD_PASSWORD}`).toString('base64')
    const dav = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
      call(server, `/dav/${path}`, {
        ...{ method, headers: { Authorization: `Basic ${password}`, ...headers } },
        ...(body !== undefined && { body }),
      })
    const to = (path: string) => ({ Destination: `/dav/${path}` })
    const asked = await dav('PROPFIND', `${name}/`, { Depth: '0' }, QUOTA_PROPERTIES)
    expect(asked.text).toContain(`quota-available-bytes>${3 * KIB}<`)
    expect(asked.text).toContain(`quota-used-bytes>${2 * KIB}<`)
    expect((await dav('PUT', `${name}/a`, {}, x(2 * KIB))).status).toBe(201)
    expect(outcome(await dav('PUT', `${name}/b`, {}, x(2 * KIB)))).toEqual(FULL)
    expect(outcome(await dav('COPY', `${name}/old`, to(`${name}/c`)))).toEqual(FULL)
    expect((await dav('PUT', 'own', {}, x(2 * KIB))).status).toBe(201)
    expect(outcome(await dav('MOVE', 'own', to(`${name}/own`)))).toEqual(FULL)
    expect((await dav('MOVE', `${name}/old`, to('old'))).status).toBe(201)
    expect((await dav('MOVE', 'own', to(`${name}/own`))).status).toBe(201)
    expect(await fill()).toMatchObject({ ...{ used: 4 * KIB, reserved: 0 }, items: { used: 2 } })
    expect((await readdir(folder)).sort()).toEqual(['a', 'own'])
  })

  test('QTA-05 stays what it is when the mount changes its name, and ends with it', async () => {
    const mount = await team()
    await mount.limit({ quotaBytes: 3 * KIB })
    const other = uniqueName('Other')
    await ask('PUT', `/api/mounts/${mount.id}`, { name: other, readOnly: false })
    expect(await mount.fill()).toMatchObject({ name: other, limit: 3 * KIB })
    expect(outcome(await mount.to('POST', `/api/resources/${other}/b`, x(2 * KIB)))).toEqual(FULL)
    await ask('DELETE', `/api/mounts/${mount.id}`)
    expect(await mount.fill()).toBeUndefined()
  })
})

describe('the quota of a root', () => {
  test('QTA-05 counts what is in all of its mounts, each file once, and a mount with less meets its own', async () => {
    const [one, two] = [await team(), await team()]
    await ask('PATCH', '/api/roots/media', { quotaBytes: 1024 * KIB })
    await expect.poll(async () => (await quotas()).roots[0]?.exact).toBe(true)
    const before = (await quotas()).roots[0]?.used ?? 0
    const quota = { quotaBytes: before + 3 * KIB, label: 'Media' }
    expect((await ask('PATCH', '/api/roots/media', quota)).status).toBe(204)
    expect(json(await ask('GET', '/api/roots'))).toMatchObject([
      { name: 'media', label: 'Media', quota: { bytes: before + 3 * KIB, items: null } },
    ])
    await two.limit({ quotaBytes: 3 * KIB })
    expect(outcome(await two.to('POST', `${two.at}/a`, x(2 * KIB)))).toEqual(FULL)
    expect((await two.to('POST', `${two.at}/a`, x(KIB))).status).toBe(200)
    expect(outcome(await one.to('POST', `${one.at}/a`, x(3 * KIB)))).toEqual(FULL)
    expect((await one.to('POST', `${one.at}/a`, x(2 * KIB))).status).toBe(200)
    expect((await quotas()).roots).toMatchObject([{ name: 'media', used: before + 3 * KIB, reserved: 0 }])
    expect((await one.to('POST', '/api/resources/own', x(9 * KIB))).status).toBe(200)
    expect((await ask('PATCH', '/api/roots/media', { quotaBytes: null })).status).toBe(204)
    expect(outcome(await one.to('POST', `${one.at}/b`, x(2 * KIB)))).toEqual([200, null])
    expect((await quotas()).roots).toEqual([])
    expect(json(await ask('GET', '/api/roots'))).toMatchObject([{ label: 'Media', quota: { bytes: null } }])
    await ask('PATCH', '/api/roots/media', { label: '' })
  })

  test('ROOT-07 does not keep other folders from being counted while the root is not there', async () => {
    const { user } = await team()
    await ask('PATCH', '/api/roots/media', { quotaBytes: 1024 * KIB })
    await rename(disk, `${disk}-away`)
    try {
      await ask('PUT', `/api/quotas/users/${user.id}`, { bytes: 10 * KIB })
      await ask('POST', '/api/quotas/recount')
      await expect.poll(async () => (await quotas()).users.find(({ id }) => id === user.id)?.exact).toBe(true)
      expect((await quotas()).roots).toMatchObject([{ exact: false }])
    } finally {
      await rename(`${disk}-away`, disk)
    }
    await ask('POST', '/api/quotas/recount')
    await expect.poll(async () => (await quotas()).roots[0]?.exact).toBe(true)
    await ask('PATCH', '/api/roots/media', { quotaBytes: null })
  })

  test('is refused with the field at fault, for another root, and for callers who are no administrators', async () => {
    const { to } = await team()
    for (const change of [{ quotaBytes: -1 }, { quotaItems: 1.5 }, { quotaBytes: '1' }, { label: x(65) }])
      expect([change, (await ask('PATCH', '/api/roots/media', change)).status]).toEqual([change, 400])
    for (const name of ['main', 'none', '..']) {
      const answer = await ask('PATCH', `/api/roots/${name}`, { quotaBytes: 1 })
      expect([name, answer.status]).toEqual([name, 404])
    }
    expect((await to('PATCH', '/api/roots/media', '{}')).status).toBe(403)
  })
})
