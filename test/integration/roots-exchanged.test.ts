import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Mount } from '../../shared/api/mounts.ts'
import { GOOD_PASSWORD, type Manager, manager, newcomer, perm, send } from '../api/accounts.ts'
import { call, json, type Person, person } from '../api/client.ts'
import { mayMount, mountBind, mountSmallDisk, unmount } from '../api/disks.ts'
import { makeHome, type OwnServer, startServer } from '../api/harness.ts'
import { type Console, shareProcess } from '../cli/console.ts'

const openConsole = shareProcess()
const RIGHTS = ['download', 'create', 'modify', 'delete', 'share']
const DISK = 2 ** 20

let home: string
let server: OwnServer
let admin: Manager
let files: Person
let shell: Console
let on: string[]
let name: string
/** The place of the root in the configuration. */
let media: string

const start = async () => {
  server = await startServer({ home, args: ['--config', join(home, 'roots.json')] })
  admin = await manager(server)
}

const again = async () => {
  await server.end()
  await start()
  files = await person(server, name, GOOD_PASSWORD)
}

async function fill(disk: string, text: string): Promise<void> {
  await mkdir(join(disk, 'docs'), { recursive: true })
  await writeFile(join(disk, 'docs/a.txt'), text)
}

const configure = () => writeFile(join(home, 'roots.json'), JSON.stringify({ roots: { media } }))
const rootNow = async () => json(await call(server, '/api/roots', { token: admin.token }))[0]
const accept = () => send(server, 'PATCH', '/api/roots/media', admin.token, { accept: true })

beforeAll(async () => {
  home = await makeHome()
  media = join(home, 'media')
  await fill(media, 'a folder')
  await configure()
  await start()
  shell = await openConsole(home)
  on = ['-d', server.database, '-c', join(home, 'roots.json')]
  const user = await newcomer(server, admin, { perm: perm('download', 'create') })
  name = user.name
  const mount: Mount = json(await send(server, 'POST', '/api/mounts', admin.token, { name: 'Team', root: 'media' }))
  await send(server, 'PUT', `/api/mounts/${mount.id}/access/user/${user.id}`, admin.token, { rights: RIGHTS })
  files = await person(server, name, GOOD_PASSWORD)
})

afterAll(async () => {
  await server.end()
})

/** Nothing of what is in the place of the root is read or written, and everything else works. */
async function expectShut(hash: string, there: readonly string[]): Promise<void> {
  expect((await files.raw('/Team/docs/a.txt')).status).toBe(503)
  expect((await files.put('/Team/new.txt', 'new')).status).toBe(503)
  expect((await files.remove('/Team/docs/a.txt')).status).toBe(503)
  expect((await call(server, `/api/public/dl/${hash}/a.txt`)).status).toBe(503)
  expect(await rootNow()).toMatchObject({ available: false, exchanged: true })
  const findings = json(await call(server, '/api/doctor', { token: admin.token }))
  expect(findings).toContainEqual({ code: 'rootExchanged', what: 'media' })
  expect((await readdir(media)).sort()).toEqual(there)
  expect((await files.get('/')).status).toBe(200)
}

const link = async (): Promise<string> =>
  json(await send(server, 'POST', '/api/share/Team/docs', files.token, { password: '' })).hash

describe('ROOT-07 a root in whose place another folder is after a restart', () => {
  test('is shut until the first one is back', async () => {
    const hash = await link()
    expect(await rootNow()).not.toHaveProperty('exchanged')
    await server.end()
    await rename(media, `${media}-old`)
    await fill(media, 'another folder')
    await start()
    files = await person(server, name, GOOD_PASSWORD)
    await expectShut(hash, ['docs'])
    expect(await shell.ok('roots', 'ls', ...on)).toContain('exchanged')
    expect(await shell.refused('mounts', 'add', 'More', '--of', 'media', '--folder', '/docs', ...on)).toContain('media')
    await server.end()
    await rm(media, { recursive: true })
    await rename(`${media}-old`, media)
    await start()
    files = await person(server, name, GOOD_PASSWORD)
    expect((await files.raw('/Team/docs/a.txt')).text).toBe('a folder')
    expect((await call(server, `/api/public/dl/${hash}/a.txt`)).text).toBe('a folder')
  })

  test('is open once an administrator accepts it, with its links paused, and stays so', async () => {
    const hash = await link()
    await server.end()
    await rename(media, `${media}-old`)
    await fill(media, 'another folder')
    await start()
    files = await person(server, name, GOOD_PASSWORD)
    await expectShut(hash, ['docs'])
    expect((await accept()).status).toBe(204)
    expect((await files.raw('/Team/docs/a.txt')).text).toBe('another folder')
    const visit = () => call(server, `/api/public/dl/${hash}/a.txt`)
    expect((await visit()).status).toBe(403)
    expect(await rootNow()).toMatchObject({ available: true })
    await send(server, 'PATCH', `/api/links/${hash}`, files.token, { paused: false })
    expect((await visit()).text).toBe('another folder')
    await again()
    expect((await files.raw('/Team/docs/a.txt')).text).toBe('another folder')
    await rm(`${media}-old`, { recursive: true })
  })

  test('is accepted on the console while the server runs; nothing is accepted while it is missing', async () => {
    expect((await files.raw('/Team/docs/a.txt')).status).toBe(200)
    await rename(media, `${media}-old`)
    expect((await accept()).status).toBe(503)
    expect(await shell.refused('roots', 'accept', 'media', ...on)).toContain('cannot be opened')
    await fill(media, 'a third folder')
    expect((await files.raw('/Team/docs/a.txt')).status).toBe(503)
    expect(await rootNow()).toMatchObject({ exchanged: true })
    await shell.ok('roots', 'accept', 'media', ...on)
    await expect.poll(async () => (await files.raw('/Team/docs/a.txt')).text).toBe('a third folder')
    expect(await rootNow()).not.toHaveProperty('exchanged')
    expect((await send(server, 'PATCH', '/api/roots/none', admin.token, { accept: true })).status).toBe(404)
    await rm(`${media}-old`, { recursive: true })
  })

  test('opens at another place that the configuration names', async () => {
    await server.end()
    await rename(media, `${media}-moved`)
    media = `${media}-moved`
    await fill(media, 'moved')
    await configure()
    await start()
    files = await person(server, name, GOOD_PASSWORD)
    expect((await files.raw('/Team/docs/a.txt')).text).toBe('moved')
  })
})

test.runIf(mayMount())('ROOT-07 an exchanged disk, and one that is missing, are noticed after a restart', async () => {
  const disks = [join(home, 'one'), join(home, 'two')]
  await server.end()
  media = join(home, 'slot')
  await mkdir(media)
  await configure()
  for (const [number, disk] of disks.entries()) {
    expect(mountSmallDisk(disk, DISK)).toBe(true)
    await fill(disk, `disk ${number}`)
  }
  try {
    const insert = async (disk = '') => {
      await server.end()
      unmount(media)
      if (disk !== '') mountBind(disk, media)
      await start()
      files = await person(server, name, GOOD_PASSWORD)
    }
    await insert(disks[0])
    expect((await files.raw('/Team/docs/a.txt')).text).toBe('disk 0')
    const hash = await link()
    await insert(disks[1])
    await expectShut(hash, ['docs'])
    await insert()
    await expectShut(hash, [])
    await insert(disks[0])
    expect((await files.raw('/Team/docs/a.txt')).text).toBe('disk 0')
    expect((await call(server, `/api/public/dl/${hash}/a.txt`)).text).toBe('disk 0')
    await insert(disks[1])
    expect((await accept()).status).toBe(204)
    expect((await files.raw('/Team/docs/a.txt')).text).toBe('disk 1')
  } finally {
    await server.end()
    unmount(media)
    for (const disk of disks) unmount(disk)
  }
})
