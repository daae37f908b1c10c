import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { findFlow, insertFlow, takeFlow } from '../auth/flows.store.ts'
import { Secrets } from './secrets.ts'

let folder: string
let db: Db
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'))
  db = (await openDb(join(folder, 'filigree.db'), folder)).db
})
afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true })
})

const FLOW = { kind: 'provider', provider: 'home', cookie: 'c', data: { verifier: 'the-verifier' } } as const

test('SEAL-01 what was stored as it is opens as it is', async () => {
  const secrets = new Secrets(db)
  for (const text of ['', '{"nonce":"v1.x"}', 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln', 'v1.short.x'])
    expect(await secrets.open(text, 'session:1')).toBe(text)
})

test('a key in the database is a finding once it sealed something, and none for a host with its own', async () => {
  const [near, own] = [new Secrets(db), new Secrets(db, { secretKey: randomBytes(32) })]
  expect(await near.findings()).toEqual([])
  await near.seal('text', 'session:1')
  expect(await near.findings()).toEqual([{ code: 'keyInDatabase', lines: expect.any(Array) }])
  expect(await own.findings()).toEqual([])
})

test('a server with a key opens what another process sealed with the key in the database, made later', async () => {
  const host = new Secrets(db, { secretKey: randomBytes(32) })
  await host.seal('text', 'flow:1')
  const sealed = await new Secrets(db).seal('other text', 'flow:2')
  expect(await host.open(sealed, 'flow:2')).toBe('other text')
})

test('SEAL-01 the data of a sign-in is sealed in its row, and opens for its secret alone', async () => {
  const deps = { db, secrets: new Secrets(db) }
  await insertFlow(deps, 'one', FLOW, 60_000)
  await insertFlow(deps, 'other', { ...FLOW, data: { verifier: 'another' } }, 60_000)
  const rows = await db.selectFrom('login_flows').select(['id', 'data']).execute()
  expect(JSON.stringify(rows)).not.toContain('verifier')
  expect(await findFlow(deps, 'provider', 'one')).toEqual(FLOW.data)
  const [first, second] = rows
  await db
    .updateTable('login_flows')
    .set({ data: first?.data ?? '' })
    .where('id', '=', second?.id ?? '')
    .execute()
  const taken = await Promise.allSettled(['one', 'other'].map(secret => takeFlow(deps, 'provider', secret)))
  expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('SEAL-01 a sign-in that began before the upgrade ends after it', async () => {
  const deps = { db, secrets: new Secrets(db) }
  await insertFlow(deps, 'one', FLOW, 60_000)
  await db
    .updateTable('login_flows')
    .set({ data: JSON.stringify(FLOW.data) })
    .execute()
  expect((await takeFlow(deps, 'provider', 'one'))?.data).toEqual(FLOW.data)
})
