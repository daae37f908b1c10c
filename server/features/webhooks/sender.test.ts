import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import { startNameServer } from '../../../test/webhooks/name-server.ts'
import { startReceiver } from '../../../test/webhooks/receiver.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { Outbound } from '../../outbound/outbound.ts'
import { WebhookSender } from './sender.ts'
import { insertDeliveries } from './webhooks.store.ts'
import { Webhooks } from './webhooks.ts'

let folder: string
let db: Db
let sender: WebhookSender | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filigree-webhooks-'))
  db = (await openDb(join(folder, 'f.db'))).db
})
afterEach(async () => {
  await sender?.close()
  await db.destroy()
  await rm(folder, { recursive: true })
})

test('WH-02 an event reaches no address that is not permitted, whichever addresses the name of the receiver has with each try', async () => {
  const receiver = await startReceiver()
  const other = await startReceiver({ host: '127.0.0.2', port: receiver.port })
  const [good, bad] = ['127.0.0.1', '127.0.0.2']
  const turns = [[good], [bad], [good, bad], [bad, good], [good]]
  const cluster = openLocalCluster()
  const webhooks = new Webhooks({ db, cluster, mode: 'admins', names: 'everyone' })
  const outbound = new Outbound({ networks: [good], lookup: await startNameServer(...turns) })
  const log = { error: (facts: object) => expect.fail(JSON.stringify(facts)) }
  const began = Date.now()
  // Time stands still: what failed is not tried again, and takes no turn of another event.
  const at = { isOnlyServer: true, now: () => began, onOff: async () => {} }
  sender = new WebhookSender({ db, cluster, webhooks, outbound, userAgent: 'test', log, ...at })
  await sender.start()
  const url = `http://name.example:${receiver.port}/`
  const asked = { name: 'x', url, types: [], folder: '', pattern: '', enabled: true }
  const { id: webhook_id } = await webhooks.add(asked, { id: 1, perm: ALL_PERMISSIONS })
  const results: unknown[] = []
  for (const turn of turns.keys()) {
    const id = `msg_${turn}`
    const quiet = { subject: null, quiet_until: null }
    const event = { id, webhook_id, type: 'file.uploaded', body: `"${turn}"`, scope: null, created_at: began, ...quiet }
    await insertDeliveries(db, [event])
    cluster.publish('webhook.waiting', {})
    const tried = () => db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirst()
    await expect.poll(async () => (await tried())?.tries).toBe(1)
    const { state, last_status, last_reason = '' } = (await tried()) ?? {}
    results.push([state, last_status, last_reason?.includes('not on the Internet')])
  }
  const [sent, refused] = [
    ['sent', 204, false],
    ['waiting', null, true],
  ]
  expect(results).toEqual([sent, refused, refused, refused, sent])
  expect(receiver.received.map(({ body }) => body)).toEqual(['"0"', '"4"'])
  expect(other.connections()).toBe(0)
})
