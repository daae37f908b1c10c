import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, perm, send } from './accounts.ts'
import { call, json, login } from './client.ts'
import { corner, KEEPS_DELETED, openInstance } from './instance.ts'
import { head, openSocket } from './raw.ts'

interface Row {
  id: number
  username: string
  action: string
  outcome: string
  way: string
  address: string
  path: string
  target: string
  hash: string
}

const wire = await openInstance()
const admin = await manager(wire)

/** The log's rows, the oldest first. */
const logged = async (query: string): Promise<Row[]> =>
  json(await call(wire, `/api/audit?${query}`, { token: admin.token })).rows.reverse()

/** A user with a scope of their own, and their rows in the log. */
async function addUser(...rights: Parameters<typeof perm>) {
  const { path: scope, disk } = await corner(wire)
  await writeFile(join(disk, 'a.txt'), 'alpha')
  const user = await newcomer(wire, admin, { scope, perm: perm(...rights) })
  const trail = async () =>
    (await logged(`user=${user.name}`)).map(({ action, outcome, path, target }) =>
      [action, outcome, path.replace(scope, ''), target.replace(scope, '')].filter(Boolean).join(' '),
    )
  return { ...user, scope, disk, trail }
}

describe('the audit log', () => {
  test('LOG-01 records a client that disconnects before the response, with its address, and all after it', async () => {
    const { name, trail } = await addUser('download')
    const body = JSON.stringify({ username: name, password: 'wrong', recaptcha: '' })
    const length = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
    const headers = { ...length, Expect: '100-continue' }
    const socket = await openSocket(wire)
    socket.write(head(wire, { method: 'POST', target: `${wire.base}/api/login`, headers }))
    await once(socket, 'data')
    await new Promise(resolve => socket.write(body, resolve))
    socket.resetAndDestroy()
    const outcomes = async () => (await trail()).map(line => line.split(' ')[1])
    await expect.poll(outcomes).toEqual(['done', 'wrong_credentials'])
    expect((await login(wire, name, GOOD_PASSWORD)).status).toBe(200)
    expect(await outcomes()).toEqual(['done', 'wrong_credentials', 'done'])
    for (const { address } of await logged(`user=${name}`)) expect(address).not.toBe('')
  })

  test('LOG-01 records every change to files, with its path in the served folder', async () => {
    const { token, scope, disk, name, trail } = await addUser('create', 'modify', 'rename', 'delete', 'download')
    await mkdir(join(disk, 'old'))
    const resource = (method: string, path: string, body?: string) =>
      send(wire, method, `/api/resources${path}`, token, body)
    await resource('POST', '/b.txt', 'beta')
    await resource('POST', '/new/')
    await resource('PUT', '/b.txt', 'gamma')
    await resource('PATCH', '/b.txt?action=copy&destination=%2Fc.txt')
    await resource('PATCH', '/c.txt?action=rename&destination=%2Fd.txt')
    await resource('DELETE', '/d.txt')
    await call(wire, '/api/tus/e.txt', { method: 'POST', token, headers: { 'Upload-Length': '4' } })
    const piece = { 'Content-Type': 'application/offset+octet-stream' }
    await call(wire, '/api/tus/e.txt', {
      method: 'PATCH',
      token,
      headers: { ...piece, 'Upload-Offset': '0' },
      body: 'ab',
    })
    await call(wire, '/api/tus/e.txt', {
      method: 'PATCH',
      token,
      headers: { ...piece, 'Upload-Offset': '2' },
      body: 'cd',
    })
    const items = [
      { from: '/old', to: '/e' },
      { from: '/nothing', to: '/f' },
    ]
    await send(wire, 'POST', '/api/jobs', token, { kind: 'move', items })
    // A job may continue after its response.
    await expect
      .poll(trail)
      .toEqual([
        'login done',
        'upload done /b.txt',
        'folder done /new',
        'save done /b.txt',
        'copy done /b.txt /c.txt',
        'move done /c.txt /d.txt',
        `${KEEPS_DELETED ? 'delete' : 'purge'} done /d.txt`,
        'upload done /e.txt',
        'move done /old /e',
        'move not_found /nothing /f',
      ])
    const [first] = await logged(`path=${scope}/b.txt`)
    expect(first).toMatchObject({ username: name, way: 'session', address: expect.stringMatching(/127\.0\.0\.1|::1/) })
  })

  test('records reads, not listings', async () => {
    const { token, trail } = await addUser('download')
    for (const path of [
      '/api/resources/',
      '/api/resources/a.txt',
      '/api/raw/a.txt?inline=true',
      '/api/raw/a.txt',
      '/api/raw/',
    ])
      await call(wire, path, { token })
    await call(wire, '/api/raw/a.txt', { method: 'HEAD', token })
    expect(await trail()).toEqual(['login done', 'read done /a.txt', 'download done /a.txt', 'download done'])
  })

  test('LOG-01 records refusals, not invalid requests', async () => {
    const { token, trail } = await addUser()
    await send(wire, 'DELETE', '/api/resources/a.txt', token)
    await send(wire, 'POST', '/api/share/a.txt', token, {})
    await send(wire, 'PUT', '/api/settings', token, {})
    await send(wire, 'PUT', '/api/resources/%00', token, 'x')
    expect(await trail()).toEqual([
      'login done',
      'delete forbidden /a.txt',
      'share.add forbidden /a.txt',
      'settings.change forbidden',
    ])
  })

  test('records wrong passwords, but not unknown names', async () => {
    const { name, token } = await addUser()
    await login(wire, name, 'wrong')
    await login(wire, `${name}-typo`, 'wrong')
    await call(wire, '/api/logout', { method: 'POST', token })
    const rows = (await logged('limit=20')).filter(({ username }) => ['', name].includes(username)).slice(-3)
    expect(rows.map(({ action, outcome, username }) => [action, outcome, username])).toEqual([
      ['login', 'wrong_credentials', name],
      ['login', 'wrong_credentials', ''],
      ['logout', 'done', name],
    ])
  })

  test('records operations through a share link, without its name', async () => {
    const { token, scope, name } = await addUser('share', 'download')
    const link = json(await send(wire, 'POST', '/api/share/a.txt', token, { password: 'open' }))
    const wrong = { 'X-SHARE-PASSWORD': 'wrong' }
    await call(wire, `/api/public/dl/${link.hash}`)
    await call(wire, `/api/public/dl/${link.hash}`, { headers: wrong })
    await call(wire, `/api/public/dl/${link.hash}`, { headers: { 'X-SHARE-PASSWORD': 'open' } })
    await send(wire, 'DELETE', `/api/share/${link.hash}`, token)
    const rows = await logged(`path=${scope}`)
    expect(rows.map(({ action, outcome, way, username, target }) => [action, outcome, way, username, target])).toEqual([
      ['share.add', 'done', 'session', name, ''],
      ['download', 'wrong_credentials', 'share', '', ''],
      ['download', 'done', 'share', '', name],
      ['share.remove', 'done', 'session', name, ''],
    ])
    expect(JSON.stringify(rows)).not.toContain(link.hash)
  })

  test('records administration, and which settings were changed', async () => {
    const user = await newcomer(wire, admin)
    await admin.update(user.id, ['perm'], { perm: perm('create') })
    await user.update(user.id, ['viewMode'], { viewMode: 'mosaic' })
    await admin.change({ hideLoginButton: true })
    await admin.change({ hideLoginButton: false })
    await admin.remove(user.id)
    const rows = (await logged('')).filter(({ target }) => [user.name, 'hideLoginButton'].includes(target))
    expect(rows.map(({ action }) => action)).toEqual([
      'user.add',
      'user.change',
      'settings.change',
      'settings.change',
      'user.remove',
    ])
  })

  test('is for administrators only', async () => {
    const user = await newcomer(wire, admin)
    for (const path of ['/api/audit', '/api/audit/export']) {
      expect((await call(wire, path, { token: user.token })).status).toBe(403)
      expect((await call(wire, path)).status).toBe(401)
    }
  })

  test.each(['from=yesterday', 'to=x', 'action=nothing', 'before=x', 'before=0', 'limit=-1'])(
    'refuses the filter %s',
    async query => {
      expect((await call(wire, `/api/audit?${query}`, { token: admin.token })).status).toBe(400)
    },
  )

  test('continues after the end of a page', async () => {
    await newcomer(wire, admin)
    const first = json(await call(wire, '/api/audit?limit=1', { token: admin.token }))
    expect(first).toMatchObject({ more: true, rows: [{}] })
    const [{ id }] = first.rows
    const second = json(await call(wire, `/api/audit?limit=1&before=${id}`, { token: admin.token }))
    expect(second.rows[0].id).toBe(id - 1)
  })

  test('is exported as JSON lines, which is recorded as well', async () => {
    const { name } = await newcomer(wire, admin)
    const answer = await call(wire, `/api/audit/export?user=${name}`, { token: admin.token })
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toContain('attachment')
    expect(
      answer.text
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toMatchObject([{ action: 'login', username: name }])
    expect((await logged('action=audit.export')).length).toBeGreaterThan(0)
    expect((await call(wire, '/api/audit/export?from=x', { token: admin.token })).status).toBe(400)
  })
})

test('the audit log contains nothing of a password', async () => {
  const user = await newcomer(wire, admin)
  await admin.update(user.id, ['password'], { password: 'velvet-ladder-sings-4' })
  await login(wire, GOOD_PASSWORD, user.name)
  const { text } = await call(wire, '/api/audit/export', { token: admin.token })
  expect(text).not.toContain(GOOD_PASSWORD)
  expect(text).not.toContain('velvet-ladder')
})
