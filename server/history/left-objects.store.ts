import { type FilePath, pathsDownTo } from '../../shared/path.ts'
import { isOneOf } from '../db/path-columns.ts'
import { fromStored } from '../db/paths.ts'
import type { Db } from '../db/schema.ts'
import { lowestUlid } from './ulid.ts'

/** An object, and when it was last seen at its place. */
export interface SeenAt {
  identity: string
  place: FilePath
  /** Milliseconds since the epoch. */
  seenAt: number
}

/** Objects that are asked about at a time. */
const BATCH = 200

/**
 * Those of some objects that left their places since they were last seen there: they, or folders above them, were
 * deleted, or moved away. What has the path now is another file.
 * @param how.moves whether recorded moves count
 */
export async function leftAmong<T extends SeenAt>(
  db: Db,
  objects: readonly T[],
  { moves = true } = {},
): Promise<Set<T>> {
  const left = new Set<T>()
  for (let from = 0; from < objects.length; from += BATCH) {
    const batch = objects.slice(from, from + BATCH)
    const places = [...new Set(batch.flatMap(({ place }) => pathsDownTo(place)))]
    const since = Math.min(...batch.map(({ seenAt }) => seenAt))
    const [items, rows, steps] = [
      await deletedItems(db, batch),
      await deletedAt(db, places, since),
      await leavingSteps(db, places, since, moves),
    ]
    for (const object of batch) {
      const { identity, place, seenAt } = object
      const above = new Set<string>(pathsDownTo(place))
      const tookIt = (row: { place: string; is_folder: number }, at: string = fromStored(row.place)) =>
        above.has(at) && (row.is_folder === 1 || at === place)
      if (
        items.some(item => item.identity === identity && (item.state !== 'gone' || Number(item.at) >= seenAt)) ||
        rows.some(row => Number(row.at) >= seenAt && tookIt(row)) ||
        steps.some(step => step.change > lowestUlid(seenAt) && above.has(fromStored(step.place)))
      )
        left.add(object)
    }
  }
  return left
}

/** What went to the trash and did not come back. */
const notRestored = (db: Db) =>
  db
    .selectFrom('kept')
    .where('kind', '=', 'trash')
    .where(eb => eb.or([eb('state', '!=', 'gone'), eb('gone_why', '!=', 'restored')]))

const deletedItems = (db: Db, objects: readonly SeenAt[]) =>
  notRestored(db)
    .select(['identity', 'state', 'at'])
    .where(
      'identity',
      'in',
      objects.map(({ identity }) => identity),
    )
    .execute()

const deletedAt = (db: Db, places: readonly FilePath[], since: number) =>
  notRestored(db)
    .select(['place', 'at', 'is_folder'])
    .where('at', '>=', since)
    .where(isOneOf(db, 'place', places))
    .execute()

/** Steps that took what was at a place away, apart from those to the trash. */
const leavingSteps = (db: Db, places: readonly FilePath[], since: number, moves: boolean) =>
  db
    .selectFrom('change_steps')
    .select(['place', 'change'])
    .where(isOneOf(db, 'place', places))
    .where(eb =>
      eb.or([
        eb.and([eb('kind', '=', 'purge'), eb('kept', 'is', null)]),
        ...(moves ? [eb('kind', '=', 'move' as const)] : []),
      ]),
    )
    .where('change', '>', lowestUlid(since))
    .execute()
