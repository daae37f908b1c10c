import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDb } from '../db/open.ts'
import type { Db } from '../db/schema.ts'
import { Audit, type AuditEvent, auditLines, REPEAT_INTERVAL } from './audit.ts'
import { verifyAudit } from './verify.ts'

const DAY = 86_400_000
const ANN = { id: 7, username: 'ann' }
const eventOf = (path: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  action: 'delete',
  outcome: 'done',
  way: 'session',
  address: '192.0.2.1',
  who: ANN,
  path,
  ...more,
})

let folder: string
let db: Db
let now: number
const faults: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filigree-audit-'))
  db = (await openDb(join(folder, 'f.db'))).db
  now = Date.parse('2026-01-01T00:00:00Z')
  faults.length = 0
})
afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true })
})

const open = (keep = { days: 365, rows: 1000 }) =>
  new Audit({ db, keep, now: () => now, log: { error: (_facts, text) => faults.push(text) } })
const written = async (count: number, audit = open()) => {
  await Promise.all(Array.from({ length: count }, (_, at) => audit.record(eventOf(`/${at + 1}`))))
  return audit
}
const pathsOf = ({ rows }: { rows: readonly { path: string }[] }) => rows.map(({ path }) => path)

describe('the hash chain of the audit log', () => {
  test('LOG-01 is valid after concurrent writes', async () => {
    const [one, other] = [open(), open()]
    await Promise.all([written(20, one), written(20, other)])
    expect(await verifyAudit(db)).toMatchObject({ sound: 40, head: { id: 40 }, seen: true })
  })

  test.each([
    ['a row that was changed', 'changed', 3, () => db.updateTable('audit').set({ path: '/x' }).where('id', '=', 3)],
    ['a row that was taken out', 'missing', 3, () => db.deleteFrom('audit').where('id', '=', 3)],
    ['a row that was cut off at the end', 'missing', 5, () => db.deleteFrom('audit').where('id', '=', 5)],
    ['rows taken out at the beginning', 'missing', 1, () => db.deleteFrom('audit').where('id', '<', 3)],
  ])('reports %s', async (_what, flaw, id, harm) => {
    await written(5)
    await harm().execute()
    expect((await verifyAudit(db)).broken).toEqual({ id, flaw })
  })

  test('rebuilt from scratch is detected with the hash of one row', async () => {
    await written(3)
    const { head } = await verifyAudit(db)
    expect((await verifyAudit(db, `${head.id}:${head.hash}`)).seen).toBe(true)
    await db.deleteFrom('audit').execute()
    await db.updateTable('audit_chain').set({ head_id: 0, head_hash: '' }).execute()
    now += 1
    await written(3)
    expect(await verifyAudit(db, `${head.id}:${head.hash}`)).toMatchObject({ sound: 3, seen: false })
  })

  test('continues from where it was pruned, and reports that', async () => {
    const audit = await written(1200)
    now += DAY
    await audit.prune()
    const verdict = await verifyAudit(db)
    expect(verdict).toMatchObject({ sound: 1001, head: { id: 1201 } })
    expect((await audit.find({}, 1)).rows[0]).toMatchObject({ action: 'audit.prune', target: '200', way: 'server' })
  })

  test('yields to other requests while very many rows are read or pruned', async () => {
    const audit = await written(1600)
    let ticks = 0
    const count = () => {
      ticks += 1
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    const lines = (await Array.fromAsync(auditLines(db, {}))).join('')
    expect([lines.split('\n').length, ticks]).toEqual([1601, 3])
    ticks = 0
    await audit.prune()
    clearImmediate(next)
    expect(ticks).toBeGreaterThanOrEqual(2)
  })

  test('deletes rows older than the retention period, and no newer ones', async () => {
    const audit = await written(2, open({ days: 10, rows: 1000 }))
    now += 10 * DAY + 1
    await audit.record(eventOf('/late'))
    await audit.prune()
    expect(pathsOf(await audit.find({}, 10))).toEqual(['', '/late'])
    expect((await verifyAudit(db)).broken).toBeUndefined()
  })
})

describe('the content of the audit log', () => {
  test('is filtered by user, operation, path and time', async () => {
    const audit = open()
    await audit.record(eventOf('/docs/a.txt'))
    now += DAY
    await audit.record(eventOf('/docs-2/b.txt', { action: 'move', target: '/docs/b.txt' }))
    await audit.record(eventOf('', { action: 'login', who: { id: 8, username: 'bob' } }))
    const found = async (filter: Parameters<Audit['find']>[0]) =>
      (await audit.find(filter, 10)).rows.map(({ id }) => id)
    expect(await found({})).toEqual([3, 2, 1])
    expect(await found({ username: 'bob' })).toEqual([3])
    expect(await found({ action: 'move' })).toEqual([2])
    expect(await found({ path: '/docs' })).toEqual([2, 1])
    expect(await found({ path: '/docs/a.txt' })).toEqual([1])
    expect(await found({ path: 'B.TXT' })).toEqual([2])
    expect(await found({ from: now })).toEqual([3, 2])
    expect(await found({ to: now })).toEqual([1])
    expect(await found({ before: 3 })).toEqual([2, 1])
  })

  test('keeps names that are not UTF-8, and text that resembles an escape', async () => {
    const audit = open()
    await audit.record(eventOf('/a\udcff'))
    await audit.record(eventOf('/b', { target: '%41' }))
    const { rows } = await audit.find({}, 10)
    expect(rows.map(({ path, target }) => [path, target])).toEqual([
      ['/b', '%41'],
      ['/a\udcff', ''],
    ])
    expect((await verifyAudit(db)).broken).toBeUndefined()
  })

  test('has one row for repeated reads and refusals, and one for each change and wrong password', async () => {
    const audit = open()
    const read = eventOf('/film.mp4', { action: 'read' })
    const refused = eventOf('/secret', { outcome: 'forbidden' })
    const wrong = eventOf('', { action: 'login', outcome: 'wrong_credentials' })
    for (const event of [read, read, refused, refused, wrong, wrong, eventOf('/a'), eventOf('/a')])
      await audit.record(event)
    expect((await audit.find({}, 20)).rows).toHaveLength(6)
    now += REPEAT_INTERVAL
    await audit.record(read)
    expect((await audit.find({ action: 'read' }, 20)).rows).toHaveLength(2)
  })

  test('is exported completely, as one object a line', async () => {
    await written(1100)
    let text = ''
    for await (const lines of auditLines(db, {})) text += lines
    const ids = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).id)
    expect(ids).toEqual(Array.from({ length: 1100 }, (_, at) => 1100 - at))
  })
})

test('the server continues while rows cannot be written; they are written later, and the number of lost ones is recorded', async () => {
  const audit = open()
  await db.schema.alterTable('audit').renameTo('away').execute()
  for (let at = 0; at < 10_003; at += 1) void audit.record(eventOf(`/${at}`))
  await audit.flush()
  expect(faults).toContain('the audit log could not be written')
  await db.schema.alterTable('away').renameTo('audit').execute()
  expect((await audit.find({}, 1)).rows[0]).toMatchObject({ action: 'audit.gap', target: '3', id: 10_001 })
  expect((await verifyAudit(db)).broken).toBeUndefined()
  await audit.close()
})
