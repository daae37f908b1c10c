import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { openLocalCluster } from '../cluster/local.ts'
import { createFiles } from '../files/files-service.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { openPlace } from './test-place.ts'
import { versionRecords } from './versions.ts'

const USER = { id: 1, username: 'anna', scope: '/', perm: ALL_PERMISSIONS, rules: [], hideDotfiles: false }
const SETTINGS = { mode: 'smart', days: 365, copyBytes: 0, skips: () => false } as const

/** The same store, where something happens right after each move. */
function afterMoves(store: StorageDriver, act: () => Promise<void>): StorageDriver {
  return {
    ...store,
    within: async (...where) => afterMoves(await store.within(...where), act),
    move: async (...what) => store.move?.(...what).then(act),
  }
}

test.each([
  ['a file', '/y/a.txt', '/x/a.txt'],
  ['a file of a merged folder', '/y', '/x'],
])(
  'what %s was moved over is a version at once, also if its folder is moved away at that moment',
  async (_, from, to) => {
    const { root, db, storage } = await openPlace()
    await mkdir(join(root, 'x'))
    await mkdir(join(root, 'y'))
    await writeFile(join(root, 'x/a.txt'), 'old')
    await writeFile(join(root, 'y/a.txt'), 'new')
    const own = await createFiles({
      storage: afterMoves(storage, () => rename(join(root, 'x'), join(root, 'z'))),
      cluster: openLocalCluster(),
      globalRules: async () => [],
      versions: { records: versionRecords(db), settings: SETTINGS },
    }).for(USER)
    await own.transfers.move(parsePath(from), parsePath(to), { override: true, rename: false })
    expect(await readFile(join(root, 'z/a.txt'), 'utf8')).toBe('new')
    const rows = await db.selectFrom('kept').select(['kind', 'state', 'size']).execute()
    expect(rows).toEqual([{ kind: 'version', state: 'kept', size: 'old'.length }])
  },
)
