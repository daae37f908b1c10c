import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { openDb } from '../../db/open.ts'
import { findActingUser } from '../groups/acting-user.ts'
import { addUser, BLANK_USER } from '../users/users.store.ts'
import { deleteGrant, insertGrant, type StoredGrant, updateGrant } from './grants.store.ts'
import { receivedBy } from './received.ts'

/** Two servers on one database, and a folder that one user shares with another. */
async function twoServers() {
  const folder = await mkdtemp(join(tmpdir(), 'filigree-grants-'))
  const [here, there] = await Promise.all([openDb(join(folder, 'f.db')), openDb(join(folder, 'f.db'))])
  onTestFinished(async () => {
    await Promise.all([here.db.destroy(), there.db.destroy()])
    await rm(folder, { recursive: true })
  })
  const user = (username: string) => addUser(here.db, { ...BLANK_USER, username, passwordHash: '' })
  const [ann, bob] = [await user('ann'), await user('bob')]
  const grant: StoredGrant = {
    ...{ id: 'g', ownerId: ann.id, path: parsePath('/a'), place: parsePath('/a'), identity: '1', kind: 'folder' },
    ...{ to: { kind: 'user', id: bob.id }, rights: ['download', 'modify'], note: '', expiresAt: null, createdAt: 1 },
    ...{ via: null, giverId: null },
  }
  const seen = async () => {
    const user = await findActingUser(there.db, bob.id)
    const [thing] = user ? await receivedBy(there.db, user) : []
    return { epoch: user?.accessEpoch ?? 0, receives: user?.receiving !== undefined, rights: thing?.rights }
  }
  return { db: here.db, grant, seen }
}

test('every change of a grant counts up the epoch that another server reads, and an empty one does not', async () => {
  const { db, grant, seen } = await twoServers()
  expect(await seen()).toEqual({ epoch: 0, receives: false, rights: undefined })
  await insertGrant(db, grant)
  expect(await seen()).toEqual({ epoch: 1, receives: true, rights: ['download', 'modify'] })
  await updateGrant(db, grant, { rights: ['download'] })
  expect(await seen()).toEqual({ epoch: 2, receives: true, rights: ['download'] })
  await updateGrant(db, grant, {})
  expect(await seen()).toEqual({ epoch: 2, receives: true, rights: ['download'] })
  await updateGrant(db, grant, { expiresAt: 1 })
  expect(await seen()).toEqual({ epoch: 3, receives: true, rights: undefined })
  await deleteGrant(db, grant)
  expect(await seen()).toEqual({ epoch: 4, receives: false, rights: undefined })
})
