import type { Db } from '../db/schema.ts'
import type { KeptRow } from './kept.store.ts'
import { type ThinningRules, thinned } from './thinning.ts'
import { objectsWithVersions, versionRows } from './versions.store.ts'

/** Files whose versions are read at a time. */
const PAGE = 500

/** The versions that thinning does not keep, of all files. @param now milliseconds since the epoch */
export async function* thinnedRows(db: Db, rules: ThinningRules, now: number): AsyncGenerator<KeptRow> {
  for (let after = ''; ; ) {
    const objects = await objectsWithVersions(db, after, PAGE)
    for (const object of objects) {
      const rows = await versionRows(db, object)
      yield* thinned(
        rows.map(row => ({ ...row, replacedAt: row.deletedAt })),
        rules,
        now,
      )
    }
    after = objects.at(-1) ?? ''
    if (objects.length < PAGE) return
  }
}
