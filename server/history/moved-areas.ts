import {
  type FilePath,
  isWithin,
  joinPath,
  nameOf,
  parentOf,
  pathsDownTo,
  ROOT,
  trustedChild,
} from '../../shared/path.ts'
import { isInOtherRoot } from '../../shared/places.ts'
import { fromStored } from '../db/paths.ts'
import { statement } from '../db/prepared.ts'
import type { Db } from '../db/schema.ts'
import type { Dependents, PlaceMove } from '../files/places.ts'
import type { KeptThings, StorageDriver } from '../storage/driver.ts'
import { type Area, areaId, listAreas } from './kept.store.ts'

/** Folders next to a missing one in which its area is looked for. */
const MOST_FOLDERS = 1000

interface Deps {
  db: Db
  storage: Pick<StorageDriver, 'stat' | 'list'>
  kept: Pick<KeptThings, 'area' | 'likelyHomes'>
}

/**
 * What is kept in a folder that holds an area is found where the folder is moved to: a Btrfs subvolume, or one above which
 * no area could be made.
 */
export const followedAreas = (db: Db): Dependents => ({
  leaving: async () => ({
    async done() {},
    moved: move => followMove(db, move),
    async failed() {},
  }),
  async returned() {},
  async purged() {},
})

async function followMove(db: Db, { from, to, isMerged }: PlaceMove): Promise<void> {
  // Of a merge it is not known what has moved; `findMovedAreas` looks.
  if (isMerged) return
  for (const row of (await everyArea(db, {})).rows) {
    const home = fromStored(row.place) as FilePath
    if (!isWithin(home, from) || home === ROOT) continue
    await moveArea(db, row.id, { home: placeIn(home, from, to), area: row.identity })
  }
}

const everyArea = statement<object, { id: string; place: string; identity: string }>(({ db }) =>
  db.selectFrom('areas').select(['id', 'place', 'identity']),
)

const placeIn = (place: FilePath, from: FilePath, to: FilePath): FilePath =>
  joinPath(to, (place.slice(from.length) || '/') as FilePath)

/** Everything that was kept in an area is in the same one at another place. Its row stays: other servers may know its id. */
async function moveArea(db: Db, id: string, to: Area): Promise<void> {
  const now = await areaId(db, to)
  if (now !== id) await db.updateTable('kept').set({ area: now }).where('area', '=', id).execute()
}

/**
 * Finds the areas whose folder another program has renamed, next to where it was, or that are on a disk with another mount
 * point now. An area is known by its identity.
 */
export async function findMovedAreas({ db, storage, kept }: Deps): Promise<void> {
  const missing: (Area & { id: string })[] = []
  for (const { count, ...area } of await usedAreas(db)) {
    const there = await kept.area(area.home).catch(() => undefined)
    if (count > 0 && there?.area !== area.area) missing.push(area)
  }
  for (const { id, home, area } of missing) {
    for await (const candidate of candidatesFor({ storage, kept }, home)) {
      const there = await kept.area(candidate).catch(() => undefined)
      if (there?.area !== area) continue
      await moveArea(db, id, { home: candidate, area })
      break
    }
  }
}

/** Every area, and the number of things in it. */
async function usedAreas(db: Db): Promise<(Area & { id: string; count: number })[]> {
  const rows = await db
    .selectFrom('kept')
    .select(({ fn }) => ['area', fn.countAll<number>().as('count')])
    .where('state', '!=', 'gone')
    .groupBy('area')
    .execute()
  const counts = new Map(rows.map(({ area, count }) => [area, Number(count)]))
  return (await listAreas(db)).map(area => ({ ...area, count: counts.get(area.id) ?? 0 }))
}

/** Folders that may be a missing one under another name: the tops of disks, and what is next to the highest missing folder. */
async function* candidatesFor(
  { storage, kept }: Pick<Deps, 'storage' | 'kept'>,
  home: FilePath,
): AsyncGenerator<FilePath> {
  yield* kept.likelyHomes()
  // A further root is one disk, whose area is at its top.
  if (home === ROOT || isInOtherRoot(home)) return
  const missing = await highestMissing(storage, home)
  if (missing === undefined) return
  const rest = home.slice(missing.length) as FilePath
  let folders = 0
  for await (const batch of storage.list(parentOf(missing))) {
    for (const { kind, name, isLink } of batch) {
      if (kind !== 'folder' || isLink || name === nameOf(missing)) continue
      folders += 1
      if (folders > MOST_FOLDERS) return
      const folder = trustedChild(parentOf(missing), name)
      yield rest === '' ? folder : joinPath(folder, rest)
    }
  }
}

/** The highest folder of a path that is not there; nothing where all are. */
async function highestMissing(storage: Pick<StorageDriver, 'stat'>, path: FilePath): Promise<FilePath | undefined> {
  for (const folder of pathsDownTo(path)) {
    if (folder !== ROOT && !(await storage.stat(folder))) return folder
  }
  return undefined
}
