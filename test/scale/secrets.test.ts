import { randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lockForChanges } from '../../server/db/lock.ts'
import { openDb } from '../../server/db/open.ts'
import { insertFlow, takeFlow } from '../../server/features/auth/flows.store.ts'
import { rekey } from '../../server/features/secrets/rekey.ts'
import { Secrets } from '../../server/features/secrets/secrets.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'

const FLOW = { kind: 'provider', provider: 'home', cookie: 'c', data: { verifier: 'the-verifier' } } as const

describe.runIf(hasPostgres)('secrets on PostgreSQL', async () => {
  const postgres = await sharedPostgres()

  test('SEAL-02 are sealed with another key while sign-ins begin and end', async () => {
    const { db } = await openDb(await postgres.make())
    onTestFinished(() => db.destroy())
    const [secretKey, secretKeyBefore] = [randomBytes(32), randomBytes(32)]
    const before = { db, secrets: new Secrets(db, { secretKey: secretKeyBefore }) }
    const present = { db, secrets: new Secrets(db, { secretKey, secretKeyBefore }) }
    const names = Array.from({ length: 40 }, (_, index) => `flow-${index}`)
    for (const name of names) await insertFlow(before, name, FLOW, 60_000)
    const change = db.transaction().execute(async transaction => {
      await lockForChanges(transaction)
      return rekey(transaction, { secretKey, secretKeyBefore })
    })
    const ended = names.slice(0, 20).map(name => takeFlow(present, 'provider', name))
    const begun = names.map(name => insertFlow(present, `late-${name}`, FLOW, 60_000))
    const [kinds, taken] = [await change, await Promise.all(ended)]
    await Promise.all(begun)
    expect(kinds.map(({ unreadable }) => unreadable)).toEqual([0, 0, 0])
    expect(taken.map(flow => flow?.data)).toEqual(taken.map(() => FLOW.data))
    const after = { db, secrets: new Secrets(db, { secretKey }) }
    expect(await after.secrets.findings()).toEqual([])
    for (const name of [...names.slice(20), ...names.map(late => `late-${late}`)])
      expect((await takeFlow(after, 'provider', name))?.data).toEqual(FLOW.data)
  })
})
