import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { call, json, person, signIn } from './client.ts'
import { serve } from './instance.ts'
import { snapshot } from './snapshot.ts'
import { makePipe, makeSocket } from './tree.ts'

const server = await serve()
const admin = await person(server)
makePipe(join(server.root, 'pipe'))
const socket = await makeSocket(join(server.root, 'sock'))
afterAll(() => {
  socket.close()
})

test.each(['/pipe', '/sock'])('%s is refused within two seconds, whatever is asked of it', async path => {
  const before = await snapshot(server.root)
  const asks = [
    () => admin.get(path),
    () => admin.raw(path),
    () => admin.raw(path, '?inline=true'),
    () => admin.put(path, 'x', '?override=true'),
  ]
  for (const ask of asks) {
    const began = performance.now()
    const answer = await ask()
    expect(answer.status).toBe(403)
    expect(answer.text).toBe('403 Forbidden\n')
    expect(performance.now() - began).toBeLessThan(2000)
  }
  expect((await admin.put(path, 'x')).status).toBeGreaterThanOrEqual(403)
  expect(await snapshot(server.root)).toEqual(before)
})

test('a folder with special files is listed', async () => {
  const answer = await admin.get('/')
  expect(answer.status).toBe(200)
  const items: { name: string; type: string; mode: number }[] = json(answer).items
  expect(items.find(item => item.name === 'pipe')).toMatchObject({ type: 'blob', isDir: false })
  expect(items.find(item => item.name === 'sock')).toMatchObject({ type: 'blob', isDir: false })
})

test('64 requests for pipes at once do not keep others waiting', async () => {
  mkdirSync(join(server.root, 'pipes'))
  for (let index = 0; index < 64; index += 1) makePipe(join(server.root, `pipes/${index}`))
  const began = performance.now()
  const reads = Array.from({ length: 64 }, (_, index) => admin.raw(`/pipes/${index}`))
  await signIn(server)
  expect((await admin.get('/pipes')).status).toBe(200)
  expect((await call(server, '/health')).status).toBe(200)
  expect(performance.now() - began).toBeLessThan(5000)
  for (const answer of await Promise.all(reads)) expect(answer.status).toBe(403)
})

test('special files can be deleted, alone and with their folder', async () => {
  mkdirSync(join(server.root, 'doomed'))
  makePipe(join(server.root, 'doomed/pipe'))
  makePipe(join(server.root, 'single'))
  expect((await admin.remove('/single')).status).toBe(204)
  expect((await admin.remove('/doomed')).status).toBe(204)
})
