import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openDb } from '../db/open.ts'
import { openLocal } from '../storage/local.ts'

/** A served folder on this disk and a database, until the test ends. */
export async function openPlace() {
  const folder = await mkdtemp(join(tmpdir(), 'history-'))
  const root = join(folder, 'root')
  await mkdir(root)
  const { db } = await openDb(join(folder, 'filigree.db'))
  onTestFinished(async () => {
    await db.destroy()
    await rm(folder, { recursive: true, force: true })
  })
  const storage = await openLocal({ root, stagingKey: Buffer.from('a key for tests only') })
  if (!storage.kept) throw new Error('this store keeps nothing')
  return { folder, root, db, storage, kept: storage.kept }
}
