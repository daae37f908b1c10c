import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { EventFacts } from '../../../shared/event-facts.ts'
import { dropOwnDatabase, ownDatabase } from '../../../test/api/harness.ts'
import { Audit, type AuditEvent } from '../../audit/audit.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import { LIMITS } from '../../limits.ts'
import { claimDue } from '../../outbound/send-queue.store.ts'
import { insertLock } from '../locks/locks.store.ts'
import { unknownPassword } from '../users/password.ts'
import { addUser, BLANK_USER } from '../users/users.store.ts'
import { Webhooks } from './webhooks.ts'

const ADMIN = { id: 1, perm: { admin: true } } as Parameters<Webhooks['add']>[1]
const FILE = '/report.odt'

/** An audit log with one webhook, and a clock. */
async function log(types: string[] = []) {
  const home = await mkdtemp(join(tmpdir(), 'quiet-'))
  const database = await ownDatabase(home)
  const { db } = await openDb(database)
  const cluster = openLocalCluster()
  const user = await addUser(db, { ...BLANK_USER, username: 'ann', passwordHash: unknownPassword() })
  let now = Date.parse('2026-11-27T10:00:00Z')
  const clock = () => now
  const webhooks = new Webhooks({ db, cluster, mode: 'admins', names: 'everyone', now: clock })
  const request = { name: 'x', url: 'https://example.org/', types, folder: '', pattern: '', enabled: true }
  await webhooks.add(request as Parameters<Webhooks['add']>[0], ADMIN)
  const audit = new Audit({ db, keep: { days: 0, rows: 1000 }, deliver: webhooks.deliver, now: clock })
  onTestFinished(async () => {
    await audit.close()
    await cluster.close()
    await db.destroy()
    await dropOwnDatabase(database)
    await rm(home, { recursive: true })
  })
  return {
    db,
    get now() {
      return now
    },
    pass(milliseconds: number) {
      now += milliseconds
    },
    record: (action: AuditEvent['action'], facts: EventFacts = {}, more: Partial<AuditEvent> = {}) =>
      audit.record({
        ...{
          action,
          outcome: 'done',
          way: 'apitoken',
          address: '',
          path: FILE,
          who: { id: 1, username: 'ann' },
          facts,
        },
        ...more,
      }),
    /** What has been written, and in how many milliseconds it is due. */
    async written() {
      const rows = await db.selectFrom('webhook_deliveries').selectAll().orderBy('created_at').execute()
      return rows.map(({ body, next_at }) => {
        const { type, data } = JSON.parse(body)
        return { type, size: data.size, in: Math.max(0, next_at - now) }
      })
    },
    async lock(minutes: number) {
      const lock = {
        ...{
          id: 'l',
          token: 't',
          place: FILE,
          deep: false,
          scope: 'exclusive',
          userId: user.id,
          bearer: '',
          ownerXml: '',
        },
        ...{ label: 'x', via: 'dav', since: now, until: now + minutes * 60_000 },
      }
      await insertLock(db, lock as unknown as Parameters<typeof insertLock>[1])
    },
  }
}

test('a file that a program writes empty, locks, writes and unlocks is one event, once it is unlocked', async () => {
  const { record, written, lock, pass } = await log()
  await record('upload', { size: 0, replaced: false })
  expect(await written()).toEqual([{ type: 'file.uploaded', size: 0, in: LIMITS.webhookQuiet }])
  pass(500)
  await lock(60)
  await record('lock')
  pass(60_000)
  expect(await written()).toMatchObject([{ in: LIMITS.webhookHold - 60_000 }])
  await record('save', { size: 7 })
  await record('save', { size: 9 })
  expect(await written()).toMatchObject([{ type: 'file.uploaded', size: 9 }])
  await record('unlock')
  expect(await written()).toEqual([{ type: 'file.uploaded', size: 9, in: 0 }])
})

test('a locked file that is saved makes an event when the lock expires, and after five minutes at the latest', async () => {
  const short = await log()
  await short.lock(1)
  await short.record('save', { size: 1 })
  expect(await short.written()).toMatchObject([{ type: 'file.saved', in: 60_000 }])
  const long = await log()
  await long.lock(60)
  await long.record('save', { size: 1 })
  expect(await long.written()).toMatchObject([{ in: LIMITS.webhookHold }])
})

test('of equal events within two seconds the first is sent at once, and the last two seconds after it', async () => {
  const { record, written, pass } = await log()
  for (const size of [1, 2, 3]) {
    await record('save', { size })
    pass(100)
  }
  expect(await written()).toEqual([
    { type: 'file.saved', size: 1, in: 0 },
    { type: 'file.saved', size: 3, in: LIMITS.webhookQuiet - 300 },
  ])
  pass(LIMITS.webhookQuiet)
  await record('save', { size: 4 })
  expect(await written()).toHaveLength(3)
})

test('other paths, other types and other users are events of their own', async () => {
  const { record, written } = await log()
  await record('save', { size: 1 })
  await record('save', { size: 1 }, { path: '/other.txt' })
  await record('delete')
  await record('save', { size: 1 }, { who: { id: 2, username: 'ben' } })
  await record('save', { size: 2 })
  expect(await written()).toHaveLength(5)
})

test('an event that is being sent takes no other in, so that none is lost', async () => {
  const { db, record, written, lock, pass } = await log()
  await lock(60)
  await record('save', { size: 1 })
  pass(LIMITS.webhookHold)
  const at = Date.parse('2026-11-27T10:05:00Z')
  expect(await claimDue(db, 'webhook_deliveries', { now: at, lease: 30_000, limit: 5 })).toHaveLength(1)
  await record('save', { size: 2 })
  expect((await written()).map(({ size }) => size)).toEqual([1, 2])
})

test('a webhook that names uploads only gets the size that the file has after the lock', async () => {
  const { record, written, lock } = await log(['file.uploaded'])
  await lock(60)
  await record('upload', { size: 0 })
  await record('save', { size: 5 })
  expect(await written()).toMatchObject([{ type: 'file.uploaded', size: 5 }])
})

test('what has no path is never merged', async () => {
  const { record, written } = await log()
  await record('login', { agent: 'Firefox' }, { path: '' })
  await record('login', { agent: 'Firefox' }, { path: '' })
  expect(await written()).toMatchObject([{ in: 0 }, { in: 0 }])
})
