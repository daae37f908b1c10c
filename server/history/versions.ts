import type { Db } from '../db/schema.ts'
import type { VersionRecords } from '../files/version-records.ts'
import { changeState, deleteKept, endKept } from './kept.store.ts'
import { findObject, moveObjects, returnObjects } from './objects.store.ts'
import { ulid } from './ulid.ts'
import {
  changeVersion,
  countPinned,
  findVersion,
  insertVersion,
  listVersions,
  settleVersion,
} from './versions.store.ts'

/** The records of former contents in the database; see docs/design/history.md for the order of writes. */
export function versionRecords(db: Db): VersionRecords {
  return {
    newId: ulid,
    begin: version => insertVersion(db, version),
    done: (id, now) => settleVersion(db, id, now),
    forget: id => deleteKept(db, id),
    objectOf: file => findObject(db, file),
    list: (object, before, limit) => listVersions(db, object, before, limit),
    find: id => findVersion(db, id),
    countPinned: object => countPinned(db, object),
    change: (id, to) => changeVersion(db, id, to),
    leave: id => changeState(db, id, 'kept', 'leaving', 'purged'),
    gone: id => endKept(db, id),
    moved: (from, was, find) => moveObjects(db, from, was, find),
    returned: (from, to, identityAt) => returnObjects(db, from, to, identityAt),
  }
}
