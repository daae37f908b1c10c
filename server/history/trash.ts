import type { Db } from '../db/schema.ts'
import type { KeptRecord, TrashRecords } from '../files/trash-records.ts'
import {
  changeState,
  deleteKept,
  endKept,
  findKept,
  insertKept,
  keptWithin,
  listKept,
  moveKept,
  sumKept,
} from './kept.store.ts'
import { ulid } from './ulid.ts'

/** The records of deleted things in the database; see docs/design/history.md for the order of writes. */
export function trashRecords(db: Db): TrashRecords {
  return {
    newId: ulid,
    begin: (record: KeptRecord) => insertKept(db, record, 'open', 'delete'),
    kept: async id => void (await changeState(db, id, 'open', 'kept')),
    forget: id => deleteKept(db, id),
    async find(id) {
      const row = await findKept(db, id)
      return row?.state === 'kept' && row.at.kind !== 'version' ? row : undefined
    },
    async findAny(id) {
      const row = await findKept(db, id)
      return row?.state === 'kept' ? row : undefined
    },
    inAreasWithin: (folder, limit) => keptWithin(db, folder, limit),
    moved: (id, at) => moveKept(db, id, at),
    list: (filter, limit) => listKept(db, filter, limit),
    sum: filter => sumKept(db, filter),
    leave: (id, why) => changeState(db, id, 'kept', 'leaving', why),
    stay: async id => void (await changeState(db, id, 'leaving', 'kept')),
    gone: id => endKept(db, id),
  }
}
