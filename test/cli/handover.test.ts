import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, perm, send } from '../api/accounts.ts'
import { call, json, login } from '../api/client.ts'
import { load } from '../api/links-client.ts'
import { serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()

test('users handover --move gives the files of a user to another one while the server runs, and their links follow', async () => {
  const server = await serveOnce()
  const admin = await manager(server)
  const shell = await openConsole(server.home)
  const rights = perm('create', 'modify', 'delete', 'share', 'download')
  for (const name of ['leaving', 'staying']) await mkdir(join(server.root, name))
  await writeFile(join(server.root, 'leaving/plan.txt'), 'the plan')
  const leaving = await newcomer(server, admin, { scope: '/leaving', perm: rights })
  const staying = await newcomer(server, admin, { scope: '/staying', perm: rights })
  const { hash } = json(await send(server, 'POST', '/api/share/plan.txt', leaving.token, {}))
  const on = ['-d', server.database]
  const printed = await shell.ok('users', 'handover', leaving.name, staying.name, '--move', ...on)
  expect(printed).toBe(`handed over\nthe files are in /leaving of ${staying.name}\n`)
  expect(await readdir(server.root)).not.toContain('leaving')
  expect(await readFile(join(server.root, 'staying/leaving/plan.txt'), 'utf8')).toBe('the plan')
  expect((await load(server, hash)).text).toBe('the plan')
  const { text: token } = await login(server, staying.name, GOOD_PASSWORD)
  expect((await call(server, '/api/raw/leaving/plan.txt', { token })).text).toBe('the plan')
  expect(json(await call(server, '/api/shares', { token }))).toMatchObject([{ hash, path: '/leaving/plan.txt' }])
  const { text: log } = await call(server, '/api/audit/export', { token: admin.token })
  expect(log).toContain(`users handover ${leaving.name}`)
})

test('users handover --move refuses a user whose folder is the whole root, and moves nothing', async () => {
  const server = await serveOnce()
  const admin = await manager(server)
  const shell = await openConsole(server.home)
  await mkdir(join(server.root, 'heir'))
  const heir = await newcomer(server, admin, { scope: '/heir', perm: perm('share', 'download') })
  const refused = await shell.refused('users', 'handover', 'admin', heir.name, '--move', '-d', server.database)
  expect(refused).toContain('cannot be moved')
  expect(await readdir(server.root)).toContain('heir')
})
