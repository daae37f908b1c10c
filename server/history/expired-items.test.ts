import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, trustedChild } from '../../shared/path.ts'
import { Audit } from '../audit/audit.ts'
import { openLocalCluster } from '../cluster/local.ts'
import { NO_DEPENDENTS } from '../files/places.ts'
import { changeRecords } from './changes.ts'
import { openPlace } from './test-place.ts'
import { trashRecords } from './trash.ts'
import { TrashUpkeep } from './trash-upkeep.ts'
import { ulid } from './ulid.ts'

const DAY = 86_400_000

async function openExpiry() {
  const place = await openPlace()
  const { db, root, kept } = place
  const cluster = openLocalCluster()
  const audit = new Audit({ db, keep: { days: 0, rows: 1000 } })
  const changes = changeRecords(db, cluster)
  const announced: string[] = []
  cluster.subscribe('changes.changed', ({ id }) => void announced.push(id))
  const versions = { mode: 'smart', days: 365, share: 100, most: 200 } as const
  const keep = { days: 30, share: 100, least: DAY }
  const rest = { dependents: NO_DEPENDENTS, log: { error() {} }, isOnlyServer: true, keep, versions }
  const expire = () => new TrashUpkeep({ ...place, cluster, audit, ...rest }).expire()
  const deleted = async (name: string, deletedAt: number) => {
    await writeFile(join(root, name), name)
    const [id, path] = [ulid(deletedAt), trustedChild(ROOT, name)]
    const { at, was, place } = await kept.plan(path, id)
    const { identity, size, modified, mode } = was
    const whose = { userId: 1, username: 'anna', deletedAt }
    await trashRecords(db).begin({ id, at, place, identity, size, modified, mode, isFolder: false, ...whose })
    await kept.setAside(path, { at, was }, { id, username: 'anna', deletedAt })
    await trashRecords(db).kept(id)
    return id
  }
  return { db, audit, changes, announced, expire, deleted }
}

test('what expires is one change of no user, with each item, linked with the row of the audit log', async () => {
  const { audit, changes, announced, expire, deleted } = await openExpiry()
  const old = Date.now() - 31 * DAY
  const ids = [await deleted('a.txt', old), await deleted('b.txt', old + 1)]
  await deleted('new.txt', Date.now())
  await expire()
  const [change, ...others] = await changes.list({ under: ROOT }, 10)
  expect(others).toEqual([])
  const about = { kind: 'expire', userId: 0, username: '', way: 'server', steps: 2, undoable: 0, bytes: 10 }
  expect(change).toMatchObject({ ...about, first: ['a.txt', 'b.txt'] })
  const steps = await changes.steps(change?.id ?? '', 0, 10)
  expect(steps.map(({ kind, place, kept }) => [kind, place, kept])).toEqual([
    ['purge', '/a.txt', ids[0]],
    ['purge', '/b.txt', ids[1]],
  ])
  const { rows } = await audit.find({}, 10)
  expect(rows.map(({ action, target }) => [action, target])).toEqual([['trash.expire', '2']])
  expect([...(await changes.ofAudit(rows.map(({ id }) => id))).values()]).toEqual([change?.id])
  expect(announced).toEqual([change?.id])
  expect(await changes.ended(ids[0] ?? '')).toMatchObject({ how: 'expired' })
})

test('a run in which nothing expires leaves no change', async () => {
  const { changes, audit, expire, deleted } = await openExpiry()
  await deleted('new.txt', Date.now())
  await expire()
  expect(await changes.list({ under: ROOT }, 10)).toEqual([])
  expect((await audit.find({}, 10)).rows).toEqual([])
})

test('what expired does not count as what happened to another item at its path', async () => {
  const { changes, expire, deleted } = await openExpiry()
  await deleted('a.txt', Date.now() - 31 * DAY)
  await expire()
  const path = trustedChild(ROOT, 'a.txt')
  expect(await changes.relocation([path], undefined)).toBeUndefined()
  expect(await changes.after(0, ROOT, 10)).toEqual([])
})
