import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditRow } from '../../shared/api/audit.ts'
import { GOOD_PASSWORD, type Manager, manager, newcomer, perm, send } from '../api/accounts.ts'
import { call, json, type Person, person } from '../api/client.ts'
import { ADMIN_PASSWORD, type OwnServer, startServer, uniqueName } from '../api/harness.ts'
import { unpack } from '../api/unpack.ts'

const RIGHTS = ['create', 'delete', 'rename', 'modify', 'share', 'download'] as const

let server: OwnServer
let admin: Manager

beforeAll(async () => {
  server = await startServer()
  admin = await manager(server)
})

afterAll(async () => {
  await server.stop()
})

/** A user with files, of whom a rule denies some. */
async function someone(rights: readonly (typeof RIGHTS)[number][] = RIGHTS) {
  const scope = `/${uniqueName('home')}`
  const disk = join(server.root, scope)
  await mkdir(join(disk, 'docs'), { recursive: true })
  await mkdir(join(disk, 'secret'))
  for (const path of ['a.txt', 'docs/b.txt', '.dot', 'account.json', 'secret/s.txt'])
    await writeFile(join(disk, path), `content of ${path}`)
  const rules = [{ regex: false, allow: false, path: '/secret', regexp: null }]
  const user = await newcomer(server, admin, { scope, perm: perm(...rights), rules, hideDotfiles: true })
  return { user, scope, files: await person(server, user.name, GOOD_PASSWORD) }
}

/** The archive by names, as texts. */
async function exported(path: string, { token }: Pick<Person, 'token'>): Promise<Record<string, string>> {
  const answer = await call(server, path, { token })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return unpack(answer.bytes, '.zip')
}

const FILES = ['files/.dot', 'files/a.txt', 'files/account.json', 'files/docs/b.txt']
const filesIn = (archive: Record<string, string>) =>
  Object.keys(archive)
    .filter(name => name.startsWith('files/') && !name.endsWith('/'))
    .sort()

describe('what is stored of a user', () => {
  test('is their files, and a description without secrets, of the user themself', async () => {
    const { user, files, scope } = await someone()
    const link = json(await send(server, 'POST', '/api/share/a.txt', files.token, { password: 'swordfish' }))
    const made = await send(server, 'POST', '/api/tokens', files.token, {
      ...{ label: 'backup', scopes: ['read'], current_password: GOOD_PASSWORD },
    })
    await send(server, 'PUT', '/api/stars/docs/b.txt', files.token)
    await files.raw('/a.txt')
    const archive = await exported('/api/account/export', files)
    expect(filesIn(archive)).toEqual(FILES)
    expect(archive['files/docs/b.txt']).toBe('content of docs/b.txt')
    const account = JSON.parse(archive['account.json'] ?? '')
    expect(account.user).toMatchObject({ username: user.name, home: 'scope' })
    expect(account.links).toMatchObject([{ path: '/a.txt', hash: link.hash, hasPassword: true }])
    expect(account.tokens).toMatchObject([{ label: 'backup', scopes: ['read'] }])
    expect(account.stars).toEqual(['/docs/b.txt'])
    expect(account.files).toBe('files/')
    const rows = (archive['activity.ndjson'] ?? '')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(rows).toContainEqual(expect.objectContaining({ action: 'login', outcome: 'done' }))
    expect(rows).toContainEqual(expect.objectContaining({ action: 'download', path: '/a.txt' }))
    const all = archive['account.json'] + (archive['activity.ndjson'] ?? '')
    for (const secret of ['argon2', 'swordfish', 'secret', scope, json(made).token])
      expect([secret, all.includes(secret)]).toEqual([secret, false])
  })

  test('has no files for a user who may not download, and has them for an administrator', async () => {
    const { user, files } = await someone(['create'])
    const own = await exported('/api/account/export', files)
    expect([filesIn(own), JSON.parse(own['account.json'] ?? '').files]).toEqual([[], null])
    const archive = await exported(`/api/users/${user.id}/export`, admin)
    expect(filesIn(archive)).toEqual(FILES)
  })

  test('is there for administrators of a user who is disabled, or has no home', async () => {
    const { user } = await someone()
    await send(server, 'PUT', `/api/users/${user.id}/disabled`, admin.token, { disabled: true })
    expect(filesIn(await exported(`/api/users/${user.id}/export`, admin))).toEqual(FILES)
    await send(server, 'PUT', `/api/users/${user.id}/home`, admin.token, { home: 'none' })
    const archive = await exported(`/api/users/${user.id}/export`, admin)
    expect(filesIn(archive)).toEqual([])
    expect(JSON.parse(archive['account.json'] ?? '').user).toMatchObject({ home: 'none', disabled: true })
  })

  test('is of no other user, and not for API tokens', async () => {
    const { user } = await someone()
    const { files: other } = await someone()
    expect((await call(server, `/api/users/${user.id}/export`, { token: other.token })).status).toBe(403)
    expect((await call(server, '/api/users/999999/export', { token: admin.token })).status).toBe(404)
    const made = json(
      await send(server, 'POST', '/api/tokens', admin.token, {
        ...{ label: 'all', scopes: ['read', 'write', 'share'], current_password: ADMIN_PASSWORD },
      }),
    )
    expect((await call(server, '/api/account/export', { token: made.token })).status).toBe(403)
  })

  test('AUD-01 is in the audit log, with the user whom it is about; a former user of the name is not in it', async () => {
    const { user } = await someone()
    await exported(`/api/users/${user.id}/export`, admin)
    const { rows } = json(await call(server, '/api/audit?action=user.export&limit=5', { token: admin.token }))
    expect((rows as AuditRow[])[0]).toMatchObject({ action: 'user.export', target: user.name, outcome: 'done' })
    await admin.remove(user.id)
    const id = await admin.add(user.name, { perm: perm('download'), scope: '/none' })
    const archive = await exported(`/api/users/${id}/export`, admin)
    expect(archive['activity.ndjson']).toBe('')
  })
})
