import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, send } from '../api/accounts.ts'
import { call, json, person } from '../api/client.ts'
import { makeHome, startServer } from '../api/harness.ts'
import { shareProcess } from '../cli/console.ts'

const openConsole = shareProcess()

test('a root is added to the configuration, changed and removed without a restart', async () => {
  const folder = await makeHome()
  const config = join(folder, 'later.json')
  const write = (roots: unknown) => writeFile(config, JSON.stringify({ roots }))
  await write({})
  const other = await startServer({ home: folder, args: ['--config', config] })
  try {
    const boss = await manager(other)
    const rootsNow = async () => json(await send(other, 'GET', '/api/roots', boss.token))
    expect(await rootsNow()).toEqual([])
    const team = join(folder, 'team')
    await mkdir(team)
    await writeFile(join(team, 'one.txt'), 'one')
    await write({ media: team })
    await expect.poll(rootsNow).toMatchObject([{ name: 'media', available: true, mounts: 0 }])
    const made = await send(other, 'POST', '/api/mounts', boss.token, { name: 'Team', root: 'media', folder: '/' })
    const user = await newcomer(other, boss)
    const access = `/api/mounts/${json(made).id}/access/user/${user.id}`
    await send(other, 'PUT', access, boss.token, { rights: ['download', 'create'] })
    const files = await person(other, user.name, GOOD_PASSWORD)
    expect((await files.raw('/Team/one.txt')).text).toBe('one')
    expect((await files.put('/Team/two.txt', 'two')).status).toBe(200)
    await write({ media: 7 })
    await new Promise(resolve => setTimeout(resolve, 1500))
    expect(await rootsNow()).toMatchObject([{ name: 'media', available: true, mounts: 1 }])
    await write({ media: { at: team, readOnly: true } })
    await expect.poll(rootsNow).toMatchObject([{ readOnly: true }])
    expect((await files.put('/Team/three.txt', 'three')).status).toBe(403)
    expect((await call(other, '/login')).text).toContain('"Mounts":true')
    await write({})
    await expect.poll(rootsNow).toEqual([])
    expect((await files.get('/Team/')).status).toBe(404)
  } finally {
    await other.stop()
  }
})

test('the configuration is checked at the start', async () => {
  const refused = async (roots: object | string) => {
    const folder = await makeHome()
    await writeFile(join(folder, 'c.json'), JSON.stringify({ root: join(folder, 'srv'), roots }))
    const other = await openConsole(folder)
    return other.refused('config', 'check', 'c.json')
  }
  expect(await refused({ Bad: '/x' })).toContain('lower-case')
  expect(await refused({ main: '/x' })).toContain('not main')
  expect(await refused({ a: { at: '/x', colour: 'red' } })).toContain('a: it must be')
  expect(await refused({ a: { at: 's3://bucket-a', s3SecretKey: 'hush-hush' } })).not.toContain('hush')
  expect(await refused({ a: '/x/y', b: '/x' })).toContain('lie in each other')
  expect(await refused('a=/x;a=/y')).toContain('twice')
})
