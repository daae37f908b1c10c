import { expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, perm } from '../api/accounts.ts'
import { call, json, signIn } from '../api/client.ts'
import { type Console, serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()

/** A running server with a user who may do nothing, and a console on its database. */
async function running() {
  const server = await serveOnce()
  const found = await openConsole(server.home)
  const shell: Pick<Console, 'ok' | 'refused'> = {
    ok: (...args) => found.ok(...args, '-d', server.database),
    refused: (...args) => found.refused(...args, '-d', server.database),
  }
  return { server, shell }
}

test('groups are made, filled, ordered and removed while the server runs', async () => {
  const { server, shell } = await running()
  const admin = await manager(server)
  await call(server, '/api/resources/a.txt', { method: 'POST', token: admin.token, body: 'alpha' })
  await admin.add('ann', { perm: perm() })
  const token = await signIn(server, 'ann', GOOD_PASSWORD)
  const statusOf = async () => (await call(server, '/api/raw/a.txt', { token })).status
  expect(await shell.ok('groups', 'add', 'staff', '--description', 'All of us', '--perm.download')).toMatch(
    /staff +download +0 +0 +All of us/,
  )
  expect(await statusOf()).toBe(403)
  expect(await shell.ok('groups', 'members', 'staff', 'add', 'ann')).toMatch(/ann +manual +never/)
  expect(await statusOf()).toBe(200)
  await shell.ok('rules', 'add', '/a.txt', '--group', 'Staff')
  expect(await shell.ok('groups', 'show', 'staff')).toContain('(0) Disallow Path: \t/a.txt')
  expect(await statusOf()).toBe(403)
  await shell.ok('groups', 'add', 'later')
  const names = async () =>
    json(await call(server, '/api/groups', { token: admin.token })).map(({ name }: { name: string }) => name)
  await shell.ok('groups', 'order', 'later')
  expect(await names()).toEqual(['everyone', 'later', 'staff'])
  await shell.ok('groups', 'update', 'later', '--name', 'guests', '--perm.create')
  await shell.ok('users', 'update', 'ann', '--group', 'guests')
  expect(await shell.ok('groups', 'members', 'staff')).not.toContain('ann')
  expect(await shell.ok('groups', 'ls')).toMatch(/guests +create +0 +1/)
  await shell.ok('groups', 'rm', 'guests')
  expect(await names()).toEqual(['everyone', 'staff'])
  const { rows } = json(await call(server, '/api/audit', { token: admin.token }))
  expect(JSON.stringify(rows)).toContain('groups rm')
})

test('groups refuse what does not exist or cannot be', async () => {
  const { shell } = await running()
  await shell.ok('groups', 'add', 'staff')
  expect(await shell.refused('groups', 'add', 'STAFF')).toMatch(/there is a group with this name/)
  expect(await shell.refused('groups', 'show', 'none')).toBe("There is no group 'none'.")
  expect(await shell.refused('groups', 'update', 'staff')).toMatch(/No changes given/)
  expect(await shell.refused('groups', 'members', 'staff', 'put', 'admin')).toMatch(/add or rm/)
  expect(await shell.refused('groups', 'members', 'staff', 'rm', 'admin')).toBe('The user is not in the group.')
  expect(await shell.refused('users', 'update', 'admin', '--group', 'none')).toBe("There is no group 'none'.")
})
