import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { call, json, signIn } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { account, openDav } from './dav-place.ts'

const place = await openDav()
const { dav, root, server } = place
const FINDER = { 'User-Agent': 'WebDAVFS/3.0.0 (03008000) Darwin/23.0.0 (x86_64)' }
const COMPOSED = '\u00e9.txt'
const DECOMPOSED = 'e\u0301.txt'
const inAddress = (name: string) => encodeURIComponent(name)

let top: string
let disk: string
beforeEach(async () => {
  top = `/${uniqueName('t')}`
  disk = join(root, top)
  await mkdir(disk)
})

describe('a name that a program decomposes', () => {
  test('is that of the item with the composed one, which keeps its name', async () => {
    await mkdir(join(disk, '\u00e4'))
    await writeFile(join(disk, '\u00e4', COMPOSED), 'content')
    const path = `${top}/${inAddress('a\u0308')}/${inAddress(DECOMPOSED)}`
    expect((await dav('GET', path)).body.toString()).toBe('content')
    expect((await dav('PROPFIND', path, { headers: { Depth: '0' } })).status).toBe(207)
    expect((await dav('PUT', path, { body: 'new' })).status).toBe(204)
    expect(await readFile(join(disk, '\u00e4', COMPOSED), 'utf8')).toBe('new')
    const headers = { Destination: `/dav${top}/moved.txt` }
    expect((await dav('MOVE', path, { headers })).status).toBe(201)
    expect([await readdir(join(disk, '\u00e4')), (await readdir(disk)).sort()]).toEqual([[], ['moved.txt', '\u00e4']])
  })

  test('is in the audit log as that of the item', async () => {
    await writeFile(join(disk, COMPOSED), 'content')
    await dav('DELETE', `${top}/${inAddress(DECOMPOSED)}`)
    const { rows } = json(await call(server, '/api/audit', { token: await signIn(server) })) as {
      rows: { action: string; path?: string }[]
    }
    expect(rows.filter(({ path }) => path === `${top}/${COMPOSED}`).map(({ action }) => action)).toEqual(['delete'])
  })

  test('is locked and written under its lock as that of the item', async () => {
    await writeFile(join(disk, COMPOSED), 'content')
    const path = `${top}/${inAddress(DECOMPOSED)}`
    const body =
      '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'
    const token = (await dav('LOCK', path, { headers: FINDER, body })).headers['lock-token'] ?? ''
    expect((await dav('PUT', `${top}/${inAddress(COMPOSED)}`, { body: 'x' })).status).toBe(423)
    expect((await dav('PUT', path, { headers: { ...FINDER, If: `(${token})` }, body: 'new' })).status).toBe(204)
    expect((await dav('UNLOCK', path, { headers: { ...FINDER, 'Lock-Token': token } })).status).toBe(204)
    expect(await readdir(disk)).toEqual([COMPOSED])
  })

  test('means exactly itself where both are there', async () => {
    for (const name of [COMPOSED, DECOMPOSED]) await writeFile(join(disk, name), name)
    for (const name of [COMPOSED, DECOMPOSED])
      expect((await dav('GET', `${top}/${inAddress(name)}`)).body.toString()).toBe(name)
    expect((await dav('DELETE', `${top}/${inAddress(DECOMPOSED)}`)).status).toBe(204)
    expect(await readdir(disk)).toEqual([COMPOSED])
  })

  test('leads past no rule', async () => {
    for (const name of [COMPOSED, DECOMPOSED]) await writeFile(join(disk, name), name)
    const { user } = await account(place, { rules: [{ path: `${top}/${DECOMPOSED}` }] })
    expect((await dav('GET', `${top}/${inAddress(DECOMPOSED)}`, { user })).status).toBe(403)
    const { user: other } = await account(place, { rules: [{ path: `${top}/${COMPOSED}` }] })
    expect((await dav('GET', `${top}/${inAddress(COMPOSED)}`, { user: other })).status).toBe(403)
  })
})

describe('a new name', () => {
  test('of the Finder is composed', async () => {
    expect((await dav('PUT', `${top}/${inAddress(DECOMPOSED)}`, { headers: FINDER, body: 'x' })).status).toBe(201)
    expect((await dav('MKCOL', `${top}/${inAddress('a\u0308')}`, { headers: FINDER })).status).toBe(201)
    const headers = { ...FINDER, Destination: `/dav${top}/${inAddress('o\u0308.txt')}` }
    expect((await dav('MOVE', `${top}/${inAddress(DECOMPOSED)}`, { headers })).status).toBe(201)
    expect((await readdir(disk)).sort()).toEqual(['\u00e4', '\u00f6.txt'])
  })

  test('of other programs stays as it is', async () => {
    expect((await dav('PUT', `${top}/${inAddress(DECOMPOSED)}`, { body: 'x' })).status).toBe(201)
    expect(await readdir(disk)).toEqual([DECOMPOSED])
  })
})
