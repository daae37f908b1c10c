import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../../shared/path.ts'
import { openDb } from '../../db/open.ts'
import { LIMITS } from '../../limits.ts'
import { insertMount } from '../groups/mounts.store.ts'
import { addMount } from './mounts.ts'

test('a mount is one of at most so many', async () => {
  const home = await mkdtemp(join(tmpdir(), 'mounts-'))
  const { db } = await openDb(join(home, 'f.db'))
  try {
    const about = { root: 'media', folder: ROOT, readOnly: false, createdAt: 0 }
    for (let number = 0; number < LIMITS.mounts; number++) {
      await insertMount(db, { ...about, id: `m${number}`, name: `m${number}` })
    }
    const more = addMount({ db, roots: undefined }, { name: 'more', root: 'media' })
    await expect(more).rejects.toMatchObject({ code: 'exists' })
  } finally {
    await db.destroy()
    await rm(home, { recursive: true, force: true })
  }
})
