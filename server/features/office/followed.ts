import { type FilePath, isWithin, joinPath } from '../../../shared/path.ts'
import type { Db } from '../../db/schema.ts'
import type { Dependents, PlaceMove } from '../../files/places.ts'
import { deleteFiles, type PlacedFile, putAt, takeAway } from './office.store.ts'

/**
 * The file ids of office editors: each follows its document where that is moved or renamed, and ends where it is removed. In
 * between, and for good where the process is killed, an id has no place: an editor never saves to what took the name.
 */
export const followedDocuments = (db: Db): Dependents => ({
  async leaving(places, identityAt) {
    const files = await takeAway(db, places)
    const before = new Map<PlacedFile, string | undefined>()
    for (const file of files) before.set(file, await identityAt(file.place))
    const isAt = async (file: PlacedFile, place: FilePath) => {
      const identity = await identityAt(place)
      return identity !== undefined && identity === before.get(file)
    }
    const placeAfter = async (file: PlacedFile, { from, to, isMerged }: PlaceMove) => {
      if (await isAt(file, file.place)) return file.place
      if (!isWithin(file.place, from)) return undefined
      const goal = joinPath(to, file.place.slice(from.length) as FilePath)
      // Between file systems the moved file is a new object.
      const isMoved = isMerged ? await isAt(file, goal) : (await identityAt(goal)) !== undefined
      return isMoved ? goal : undefined
    }
    const settle = async (placeOf: (file: PlacedFile) => Promise<FilePath | undefined>) => {
      for (const file of files) {
        const place = await placeOf(file)
        await (place === undefined ? deleteFiles(db, [file]) : putAt(db, { ...file, place }))
      }
    }
    return {
      done: () => deleteFiles(db, files),
      moved: move => settle(file => placeAfter(file, move)),
      failed: () => settle(async file => ((await isAt(file, file.place)) ? file.place : undefined)),
    }
  },
  async returned() {},
  async purged() {},
})
