import type { Db } from '../db/schema.ts'
import type { TrashRecords } from '../files/trash-records.ts'
import { inTransaction } from './changes.store.ts'
import {
  changeState,
  deleteKept,
  endKept,
  findKept,
  identifyKept,
  insertKept,
  keptWithin,
  listKept,
  moveKept,
  rememberedAreas,
  sumsKept,
} from './kept.store.ts'
import { followDeleted } from './objects.store.ts'
import { placeNow } from './place-now.store.ts'
import { addAhead, dropKeptStep, endKeptStep } from './steps-ahead.store.ts'
import { ulid } from './ulid.ts'

/**
 * The records of deleted things in the database; see docs/design/history.md for the order of writes.
 * @param refresh records what other programs deleted
 */
export function trashRecords(db: Db, refresh?: () => Promise<void>): TrashRecords {
  const areaOf = rememberedAreas(db)
  return {
    newId: ulid,
    ...(refresh && { refresh }),
    async begin(record, ahead) {
      const area = await areaOf(record.at)
      await db.transaction().execute(async transaction => {
        if (!record.isFolder) await followDeleted(transaction, record)
        await insertKept(transaction, record, { area, state: 'open', reason: 'delete' })
        if (ahead) await addAhead(transaction, ahead)
      })
    },
    copied: (id, identity) => identifyKept(db, id, identity),
    async kept(id, later) {
      if (later?.recording.hasRoom && later.recording.isWrittenAtEnd) {
        later.recording.settle({ step: later.step })
        return false
      }
      await db.transaction().execute(async transaction => {
        await changeState(transaction, id, 'open', 'kept')
        await endKeptStep(transaction, id)
      })
      return true
    },
    forget: id =>
      db.transaction().execute(async transaction => {
        await deleteKept(transaction, id)
        await dropKeptStep(transaction, id, ['open', 'done'])
      }),
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
    placeNow: id => placeNow(db, id),
    list: (filter, limit) => listKept(db, filter, limit),
    sums: filter => sumsKept(db, filter),
    leave: (id, why) => changeState(db, id, 'kept', 'leaving', why),
    restoring: ahead => inTransaction(db, transaction => addAhead(transaction, ahead).then(() => undefined)),
    notRestored: ({ recording, step }) => {
      recording.forget(step.kept)
      return inTransaction(db, transaction => dropKeptStep(transaction, step.kept))
    },
    stay: async id => void (await changeState(db, id, 'leaving', 'kept')),
    gone: id => endKept(db, id),
  }
}
