import type { Db } from '../db/schema.ts'
import type { VersionRecords } from '../files/version-records.ts'
import { inTransaction } from './changes.store.ts'
import { changeState, deleteKept, endKept, rememberedAreas } from './kept.store.ts'
import { findObject, moveObjects, replaceObjects, returnObjects } from './objects.store.ts'
import { dropKeptStep, endAhead } from './steps-ahead.store.ts'
import { ulid } from './ulid.ts'
import {
  beginVersion,
  changeVersion,
  completeVersion,
  countPinned,
  findVersion,
  listVersions,
  lostBefore,
} from './versions.store.ts'

/** The records of former contents in the database; see docs/design/history.md for the order of writes. */
export function versionRecords(db: Db): VersionRecords {
  const areaOf = rememberedAreas(db)
  return {
    newId: ulid,
    begin: async (version, ahead) => beginVersion(db, { ...version, area: await areaOf(version.at) }, ahead),
    async done(id, now, ahead) {
      if (ahead?.recording.hasRoom) return ahead.recording.settle({ step: ahead.step, now })
      await inTransaction(db, async transaction => {
        await completeVersion(transaction, id, now)
        if (ahead) await endAhead(transaction, ahead.step)
      })
    },
    async forget(id, ahead) {
      ahead?.recording.forget(id)
      await inTransaction(db, async transaction => {
        await deleteKept(transaction, id)
        await dropKeptStep(transaction, id)
      })
    },
    objectOf: file => findObject(db, file),
    lostBefore: file => lostBefore(db, file),
    list: (object, before, limit) => listVersions(db, object, before, limit),
    find: id => findVersion(db, id),
    countPinned: object => countPinned(db, object),
    change: (id, to) => changeVersion(db, id, to),
    leave: id => changeState(db, id, 'kept', 'leaving', 'purged'),
    gone: id => endKept(db, id),
    moved: (from, was, find) => moveObjects(db, from, was, find),
    returned: (from, to, identityAt) => returnObjects(db, from, to, identityAt),
    copied: (from, find) => replaceObjects(db, from, find),
  }
}
