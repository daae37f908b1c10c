import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { findActingUser } from '../../server/features/groups/acting-user.ts'
import { parsePath } from '../../shared/path.ts'
import { send } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { account, openDav } from './dav-place.ts'

const PLACES = {
  on: await openDav(),
  off: await openDav('--trash', 'off'),
}
const PROPERTY = '<p:mark xmlns:p="urn:p">old</p:mark>'
const SET = `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop>${PROPERTY}</D:prop></D:set></D:propertyupdate>`
const GET = '<D:propfind xmlns:D="DAV:"><D:prop><p:mark xmlns:p="urn:p"/></D:prop></D:propfind>'

describe.each(Object.entries(PLACES))('a folder that is replaced, with the trash %s', (mode, place) => {
  const { dav, root, context } = place
  // Meters are counted in the background.
  beforeAll(() => context.startWork())

  /** A folder with a denied item, and an older one that it would replace. */
  async function begin() {
    const top = `/${uniqueName('t')}`
    const disk = join(root, top)
    await mkdir(join(disk, 'new/secret'), { recursive: true })
    await mkdir(join(disk, 'old/deep'), { recursive: true })
    await writeFile(join(disk, 'new/a.txt'), 'new')
    await writeFile(join(disk, 'old/deep/b.txt'), 'old')
    const { user, id, session } = await account(place, { rules: [{ path: `${top}/new/secret` }] })
    await dav('PROPPATCH', `${top}/old`, { user, body: SET })
    const transfer = (method: string, from: string, to = 'old') =>
      dav(method, `${top}/${from}`, { user, headers: { Destination: `/dav${top}/${to}` } })
    const propertyOf = async (name: string) =>
      (await dav('PROPFIND', `${top}/${name}`, { user, body: GET, headers: { Depth: '0' } })).body.toString()
    const kept = async () => {
      const { items } = json(await call(place.server, `/api/trash?folder=${top}`, { token: session })) as {
        items: object[]
      }
      return items
    }
    const linkAt = `/api/share${top}/old/deep/b.txt`
    const share = () => call(place.server, linkAt, { method: 'POST', token: session, body: '{}' })
    const links = async () => json(await call(place.server, linkAt, { token: session })) as { hash: string }[]
    const changes = async () => json(await call(place.server, `/api/changes?folder=${top}`, { token: session }))
    return { top, disk, transfer, propertyOf, kept, share, links, changes, id }
  }

  test.each(['COPY', 'MOVE'])('stays whole where a rule inside the tree refuses a %s', async method => {
    const { disk, transfer, propertyOf, kept, share, links, changes } = await begin()
    const { hash } = json(await share())
    expect((await transfer(method, 'new')).status).toBe(403)
    expect(await links()).toMatchObject([{ hash }])
    const { status } = await call(place.server, `/api/public/share/${hash}`)
    expect(status).toBe(200)
    expect(await changes()).toMatchObject({ items: [{ kind: 'link' }] })
    expect((await readdir(disk)).sort()).toEqual(['new', 'old'])
    expect(await readFile(join(disk, 'old/deep/b.txt'), 'utf8')).toBe('old')
    expect(await readFile(join(disk, 'new/a.txt'), 'utf8')).toBe('new')
    expect(await propertyOf('old')).toContain('>old</')
    if (mode === 'on') expect(await kept()).toEqual([])
  })

  test('stays whole where its source vanishes halfway, and what arrived gets a free name', async () => {
    const { top, disk, id } = await begin()
    const actor = await findActingUser(context.db, id)
    if (!actor) throw new Error('no user')
    const files = await context.files.for(actor)
    const goal = parsePath(`${top}/old`)
    const act = async () => {
      await files.makeFolder(goal)
      throw new Error('the source is gone')
    }
    await expect(files.transfers.inPlaceOf(goal, mode === 'off' ? { trash: 'never' } : {}, act)).rejects.toThrow()
    expect((await readdir(disk)).sort()).toEqual(['new', 'old', expect.stringMatching(/^old.*\d/)])
    expect(await readFile(join(disk, 'old/deep/b.txt'), 'utf8')).toBe('old')
  })

  test.each([
    ['COPY', 170_000],
    ['COPY', 130_000],
    ['MOVE', 170_000],
    ['MOVE', 130_000],
  ])('QTA-02 counts no more after a %s within a quota of %i bytes', async (method, bytes) => {
    const top = `/${uniqueName('q')}`
    const disk = join(root, top)
    for (const folder of ['old', 'other']) await mkdir(join(disk, folder), { recursive: true })
    await writeFile(join(disk, 'other/c.txt'), Buffer.alloc(60_000))
    await writeFile(join(disk, 'old/d.txt'), Buffer.alloc(50_000))
    const { user, id, session } = await account(place, { scope: top })
    const quota = async () => json(await call(place.server, '/api/quota', { token: session }))
    const limited = await send(place.server, 'PUT', `/api/quotas/users/${id}`, place.admin.token, { bytes })
    expect(limited.status).toBeLessThan(300)
    await expect.poll(quota).toMatchObject({ exact: true, used: 110_000 })
    const { status } = await dav(method, '/other', { user, headers: { Destination: '/dav/old' } })
    // What is not kept has a free name until the copy is complete, and counts.
    const isTooMuch = mode === 'off' && method === 'COPY' && bytes < 170_000
    expect(status).toBe(isTooMuch ? 507 : 204)
    expect(await readdir(join(disk, 'old'))).toEqual([isTooMuch ? 'd.txt' : 'c.txt'])
    if (isTooMuch) return
    const used = method === 'COPY' ? 120_000 : 60_000
    await expect.poll(quota).toMatchObject({ exact: true, used, reserved: 0 })
  })

  test.each(['COPY', 'MOVE'])('goes where the trash says once a %s has succeeded', async method => {
    const { top, disk, transfer, propertyOf, kept } = await begin()
    await mkdir(join(disk, 'other'))
    await writeFile(join(disk, 'other/c.txt'), 'c')
    expect((await transfer(method, 'other')).status).toBe(204)
    expect((await readdir(disk)).sort()).toEqual(method === 'COPY' ? ['new', 'old', 'other'] : ['new', 'old'])
    expect(await readdir(join(disk, 'old'))).toEqual(['c.txt'])
    expect(await propertyOf('old')).not.toContain('>old</')
    if (mode === 'on') expect(await kept()).toMatchObject([{ path: `${top}/old` }])
  })
})
