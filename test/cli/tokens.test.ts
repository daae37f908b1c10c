import { expect, test } from 'vitest'
import { call, json, person } from '../api/client.ts'
import { type Console, serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()

/** A running server with a folder, and a console on its database. */
async function running() {
  const server = await serveOnce()
  const admin = await person(server)
  await call(server, '/api/resources/docs/', { method: 'POST', token: admin.token })
  const found = await openConsole(server.home)
  const shell: Pick<Console, 'ok' | 'refused'> = {
    ok: (...args) => found.ok('tokens', ...args, '-d', server.database),
    refused: (...args) => found.refused('tokens', ...args, '-d', server.database),
  }
  const statusOf = async (path: string, token: string) => (await call(server, path, { token })).status
  return { server, admin, shell, statusOf }
}

test('tokens add prints a token that works at once, ls lists it, and rm ends it', async () => {
  const { server, admin, shell, statusOf } = await running()
  const limits = ['--scope', 'read,share', '--folder', '/docs', '--days', '30']
  const token = (await shell.ok('add', 'admin', '--label', 'Scanner', ...limits)).trim()
  expect(token).toMatch(/^flg_[0-9A-Za-z]{36}$/)
  expect([await statusOf('/api/resources/docs/', token), await statusOf('/api/resources/', token)]).toEqual([200, 403])
  const listed = JSON.parse(await shell.ok('ls', '--json', '--user', 'admin'))
  expect(listed).toMatchObject({ user: 'admin', label: 'Scanner', scopes: ['read', 'share'], folders: ['/docs'] })
  expect((await shell.ok('ls')).split('\n')[0]).toMatch(/^ID +User +Label +Scopes +Folders +Last use +Expires$/)
  expect(await shell.ok('ls', '--json', '--unused', '90d')).toBe('')
  await shell.ok('rm', listed.id)
  expect(await statusOf('/api/resources/docs/', token)).toBe(401)
  const { rows } = json(await call(server, '/api/audit', { token: admin.token }))
  expect(JSON.stringify(rows)).toContain('tokens add')
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('tokens add and rm refuse what does not exist or is not allowed', async () => {
  const { shell } = await running()
  const add = (...args: string[]) => shell.refused('add', 'admin', ...args)
  expect(await add()).toBe('Give a label of 1 to 64 characters with --label.')
  expect(await add('--label', 'x', '--scope', 'all')).toMatch(/^--scope: must be some of read, write/)
  expect(await add('--label', 'x', '--folder', '/none')).toBe('folders: names no folder')
  expect(await add('--label', 'x', '--days', 'soon')).toBe('--days: must be a number of days.')
  expect(await add('--label', 'x', '--scope', 'admin')).toMatch(/needs an administrator, and the setting adminTokens/)
  expect(await shell.refused('add', 'eve', '--label', 'x')).toBe("There is no user 'eve'.")
  expect(await shell.refused('rm', 'none')).toBe("There is no API token 'none'.")
})
