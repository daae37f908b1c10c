import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { call, json, person, signIn } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { snapshot } from './snapshot.ts'
import { makePipe, makeSocket } from './tree.ts'

const server = await openInstance()
const { path: folder, disk } = await corner(server)
const admin = await person(server)
makePipe(join(disk, 'pipe'))
const socket = await makeSocket(join(disk, 'sock'))
afterAll(() => {
  socket.close()
})

test.each(['pipe', 'sock'])('SPEC-01 a %s is refused within two seconds, whatever the request', async name => {
  const path = `${folder}/${name}`
  const before = await snapshot(disk)
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
    expect(performance.now() - began).toBeLessThan(15_000)
  }
  expect((await admin.put(path, 'x')).status).toBeGreaterThanOrEqual(403)
  expect(await snapshot(disk)).toEqual(before)
})

test('a folder with special files is listed', async () => {
  const answer = await admin.get(folder)
  expect(answer.status).toBe(200)
  const items: { name: string; type: string; mode: number }[] = json(answer).items
  expect(items.find(item => item.name === 'pipe')).toMatchObject({ type: 'blob', isDir: false })
  expect(items.find(item => item.name === 'sock')).toMatchObject({ type: 'blob', isDir: false })
})

test('SPEC-02 64 concurrent requests for pipes do not block others', async () => {
  mkdirSync(join(disk, 'pipes'))
  for (let index = 0; index < 64; index += 1) makePipe(join(disk, `pipes/${index}`))
  const began = performance.now()
  const reads = Array.from({ length: 64 }, (_, index) => admin.raw(`${folder}/pipes/${index}`))
  await signIn(server)
  expect((await admin.get(`${folder}/pipes`)).status).toBe(200)
  expect((await call(server, '/health')).status).toBe(200)
  expect(performance.now() - began).toBeLessThan(15_000)
  for (const answer of await Promise.all(reads)) expect(answer.status).toBe(403)
})

test('special files can be deleted, alone and with their folder', async () => {
  mkdirSync(join(disk, 'doomed'))
  makePipe(join(disk, 'doomed/pipe'))
  makePipe(join(disk, 'single'))
  expect((await admin.remove(`${folder}/single`)).status).toBe(204)
  expect((await admin.remove(`${folder}/doomed`)).status).toBe(204)
})
