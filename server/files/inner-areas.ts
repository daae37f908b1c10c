import type { FilePath } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { KeptAt, KeptThings, StorageDriver } from '../storage/driver.ts'
import type { Base } from './base.ts'
import type { TrashRecords } from './trash-records.ts'

/** What moves deleted items between areas. */
export interface InnerAreas {
  store: StorageDriver
  kept: KeptThings
  records: TrashRecords
  /** Runs `act` under the lock of an item. */
  locked(id: string, act: () => Promise<boolean>): Promise<boolean>
}

/** Records read at a time. */
const PAGE = 500

/**
 * Moves what areas inside a folder hold to the area above it: it would leave with the folder.
 * @param base the store's place in the served root
 * @throws unavailable when one is on another file system
 */
export async function emptyInnerAreas(areas: InnerAreas, path: FilePath, base: Base): Promise<void> {
  const { store, kept, records, locked } = areas
  const folder = await store.stat(path).catch(refused)
  if (folder?.kind !== 'folder' || folder.isLink) return
  const place = base.placeOf(folder.canonical)
  for (let moved = 1; moved > 0; ) {
    moved = 0
    for (const { id } of await records.inAreasWithin(place, PAGE)) {
      const { at } = await kept.plan(path, records.newId())
      if (await locked(id, () => moveTo(areas, id, at))) moved += 1
    }
  }
}

/** A link to a denied target is deleted as an item of its own. */
function refused(thrown: unknown): undefined {
  if (asAppError(thrown).code !== 'forbidden') throw thrown
}

/** @returns whether it was there @throws unavailable for another file system */
async function moveTo({ kept, records }: InnerAreas, id: string, to: KeptAt): Promise<boolean> {
  const record = await records.findAny(id)
  if (!record) return false
  try {
    await records.moved(id, await kept.moveTo(record.at, to))
    return true
  } catch (thrown) {
    const { code } = asAppError(thrown)
    // A disk that is unavailable, and an item that was taken out by hand, do not leave with the folder.
    if (code === 'unavailable' || code === 'not_found') return false
    if (code === 'unsupported') throw new AppError('unavailable', 'deleted items of another disk are in it')
    throw thrown
  }
}
