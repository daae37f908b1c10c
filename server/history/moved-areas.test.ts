import { chmod, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { openLocalCluster } from '../cluster/local.ts'
import { NO_DEPENDENTS } from '../files/places.ts'
import { findMovedAreas, followedAreas } from './moved-areas.ts'
import { openPlace } from './test-place.ts'
import { trashRecords } from './trash.ts'
import { TrashUpkeep } from './trash-upkeep.ts'
import { ulid } from './ulid.ts'

/** A served folder at whose top no area is safe, so that each folder in it has its own. */
async function openParted() {
  const place = await openPlace()
  const { root, db, kept } = place
  const records = trashRecords(db)
  const { at } = await kept.plan(await file('/first.txt'), ulid())
  await chmod(join(root, await areaName(at.home)), 0o777)

  async function areaName(home: string): Promise<string> {
    return (await readdir(join(root, home))).find(name => name.startsWith('.filigree-')) ?? ''
  }
  async function file(path: string) {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), path)
    return parsePath(path)
  }
  async function deleted(name: string) {
    const [path, id, deletedAt] = [await file(name), ulid(), Date.now() - 1000]
    const { at, was, place } = await kept.plan(path, id)
    const { identity, size, modified, mode } = was
    const whose = { userId: 1, username: 'anna', deletedAt }
    await records.begin({ id, at, place, identity, size, modified, mode, isFolder: false, ...whose })
    await kept.setAside(path, { at, was }, { id, username: 'anna', deletedAt })
    await records.kept(id)
    return id
  }
  const homeOf = async (id: string) => (await records.find(id))?.at.home
  const isThere = async (id: string) => {
    const record = await records.find(id)
    return record !== undefined && (await kept.look(record.at)) !== undefined
  }
  return { ...place, records, deleted, homeOf, isThere }
}

test('what was deleted in a folder with an area is found where the folder is moved to', async () => {
  const { db, root, deleted, homeOf, isThere } = await openParted()
  const id = await deleted('/photos/a.txt')
  expect(await homeOf(id)).toBe('/photos')
  const leaving = await followedAreas(db).leaving([parsePath('/photos')], async () => undefined)
  await mkdir(join(root, 'archive'))
  await rename(join(root, 'photos'), join(root, 'archive/pictures'))
  await leaving.moved({ from: parsePath('/photos'), to: parsePath('/archive/pictures'), isMerged: false })
  expect([await homeOf(id), await isThere(id)]).toEqual(['/archive/pictures', true])
})

test('an area whose folder another program renamed is found next to it, below another name too', async () => {
  const { db, root, storage, kept, deleted, homeOf, isThere } = await openParted()
  const ids = [await deleted('/photos/a.txt'), await deleted('/disks/one/b.txt')]
  await mkdir(join(root, 'other'))
  await rename(join(root, 'photos'), join(root, 'pictures'))
  await rename(join(root, 'disks'), join(root, 'volumes'))
  await findMovedAreas({ db, storage, kept })
  const homes = await Promise.all(ids.map(homeOf))
  expect(homes[0]).toBe('/pictures')
  expect(homes[1]?.startsWith('/volumes')).toBe(true)
  expect(await Promise.all(ids.map(isThere))).toEqual([true, true])
})

test('the hourly run finds it, and ends no row of it', async () => {
  const { root, db, storage, kept, deleted, isThere } = await openParted()
  const id = await deleted('/photos/a.txt')
  await rename(join(root, 'photos'), join(root, 'pictures'))
  const versions = { mode: 'smart', days: 365, share: 100, most: 200 } as const
  const keep = { days: 30, share: 100, least: 0 }
  const rest = { dependents: NO_DEPENDENTS, log: { error() {} }, audit: { async record() {} } }
  const deps = { db, storage, kept, cluster: openLocalCluster(), isOnlyServer: true, keep, versions, ...rest }
  await new TrashUpkeep(deps).expire()
  expect(await isThere(id)).toBe(true)
})

test('a folder that is only missing leaves everything as it is', async () => {
  const { root, db, storage, kept, deleted, homeOf } = await openParted()
  const id = await deleted('/photos/a.txt')
  await mkdir(join(root, 'other'))
  await rename(join(root, 'photos'), `${root}-away`)
  await findMovedAreas({ db, storage, kept })
  expect(await homeOf(id)).toBe('/photos')
})
