import { expect, test, vi } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import { openWarnings } from '../../../test/mail/warnings.ts'
import { deleteMount, insertMount, updateMount } from '../groups/mounts.store.ts'
import { setRoot } from '../groups/roots.store.ts'
import { changeAddress } from '../mail/addresses.store.ts'
import { addUser, BLANK_USER, setUserQuota } from '../users/users.store.ts'

const LIMIT = 1_000_000

/** A user with an address, and a webhook for warnings. */
async function instance({ quota = LIMIT as number | null } = {}) {
  const opened = await openWarnings({ scope: '/ann' })
  const { db, user: ann, quotas, log, look, events } = opened
  if (quota !== null) await setUserQuota(db, ann.id, { bytes: quota })
  await opened.addWebhook()
  return {
    ...opened,
    ann,
    /** @returns the thresholds of all events so far */
    async holds(bytes: number, state: 'exact' | 'counting' = 'exact') {
      await quotas.homes()
      await db.updateTable('quota_meters').set({ bytes, state }).execute()
      await look()
      expect(log.error.mock.calls).toEqual([])
      return (await events()).map(({ data }) => data.percent as number)
    },
  }
}

test('a home that reaches 80, 95 and 100 % of its quota is one event and one mail at each', async () => {
  const { holds, events, mails, ann } = await instance()
  expect(await holds(799_999)).toEqual([])
  expect(await holds(800_000)).toEqual([80])
  expect(await holds(900_000)).toEqual([80])
  expect(await holds(950_000)).toEqual([80, 95])
  expect(await holds(LIMIT)).toEqual([80, 95, 100])
  expect(await holds(LIMIT)).toEqual([80, 95, 100])
  const [first] = await events()
  expect(first).toMatchObject({
    type: 'quota.warning',
    data: { user: 'ann', via: 'server', percent: 80, used: 800_000, limit: LIMIT },
  })
  const written = await mails()
  expect(written).toHaveLength(3)
  for (const { kind, user_id } of written) expect([kind, user_id]).toEqual(['quota.warning', ann.id])
})

test('a home that fills at once is one event, and so is the same home after a restart', async () => {
  const { holds, restart } = await instance()
  expect(await holds(LIMIT)).toEqual([100])
  restart()
  expect(await holds(LIMIT)).toEqual([100])
})

test('a threshold counts again only after the home was well below it', async () => {
  const { holds } = await instance()
  expect(await holds(800_000)).toEqual([80])
  expect(await holds(760_000)).toEqual([80])
  expect(await holds(800_000)).toEqual([80])
  expect(await holds(749_999)).toEqual([80])
  expect(await holds(800_000)).toEqual([80, 80])
  expect(await holds(960_000)).toEqual([80, 80, 95])
  expect(await holds(850_000)).toEqual([80, 80, 95])
  expect(await holds(960_000)).toEqual([80, 80, 95, 95])
})

test('a home that is being counted, and a quota of 0, cause no warning', async () => {
  const { holds, db, ann, quotas } = await instance()
  expect(await holds(LIMIT, 'counting')).toEqual([])
  await setUserQuota(db, ann.id, { bytes: 0 })
  await quotas.reload()
  expect(await holds(1)).toEqual([])
})

test('a user who wants no mails about files gets none about the quota, and the event is written', async () => {
  const { db, ann, holds, mails } = await instance()
  await changeAddress(db, ann.id, { notices: 0 })
  expect(await holds(LIMIT)).toEqual([100])
  expect(await mails()).toEqual([])
})

test('a quota that is taken away is forgotten, and the next one warns again', async () => {
  const { db, ann, holds, quotas, look } = await instance()
  expect(await holds(LIMIT)).toEqual([100])
  await setUserQuota(db, ann.id, { bytes: null })
  await quotas.reload()
  await look()
  expect(await db.selectFrom('quota_warnings').selectAll().execute()).toEqual([])
  await setUserQuota(db, ann.id, { bytes: LIMIT })
  await quotas.reload()
  expect(await holds(850_000)).toEqual([100, 80])
})

test('without a quota a look asks the database nothing', async () => {
  const { db, quotas, look, events } = await instance({ quota: null })
  await quotas.homes()
  await look()
  const select = vi.spyOn(db, 'selectFrom')
  for (let count = 0; count < 5; count += 1) await look()
  expect(select).not.toHaveBeenCalled()
  select.mockRestore()
  expect(await events()).toEqual([])
})

test('a root and a mount that fill warn each administrator and webhooks by their names', async () => {
  const { db, ann, quotas, look, events, mails, log } = await instance({ quota: null })
  const boss = await addUser(db, {
    ...BLANK_USER,
    username: 'boss',
    passwordHash: 'x',
    scope: '/',
    perm: ALL_PERMISSIONS,
  })
  await changeAddress(db, boss.id, { address: 'boss@example.org' })
  await setRoot(db, 'media', { label: 'Films', quota: { bytes: LIMIT } })
  const mount = { id: 'one', name: 'Team', root: 'media', folder: parsePath('/team'), readOnly: false, createdAt: 0 }
  await insertMount(db, mount)
  await updateMount(db, mount.id, { name: mount.name, readOnly: false, quota: { bytes: LIMIT } })
  await quotas.reload()
  await quotas.homes()
  const holds = async (bytes: number) => {
    await db.updateTable('quota_meters').set({ bytes, state: 'exact' }).execute()
    await look()
    expect(log.error.mock.calls).toEqual([])
    return (await events()).map(({ data }) => [data.place, data.percent])
  }
  expect(await holds(800_000)).toEqual([
    ['media', 80],
    ['Team', 80],
  ])
  expect(await holds(850_000)).toHaveLength(2)
  expect((await events())[0]).toMatchObject({ data: { user: '', via: 'server', used: 800_000, limit: LIMIT } })
  expect((await mails()).map(({ user_id, data }) => [user_id, JSON.parse(data).place])).toEqual([
    [boss.id, 'media'],
    [boss.id, 'Team'],
  ])
  expect(ann.id).not.toBe(boss.id)
  await deleteMount(db, mount.id)
  await quotas.reload()
  await look()
  expect(await db.selectFrom('place_warnings').select(['kind', 'place']).execute()).toEqual([
    { kind: 'root', place: 'media' },
  ])
})
