import { type FilePath, joinPath, ROOT, trustedChild } from '../../shared/path.ts'
import type { FoundKept, KeptArea } from '../storage/driver.ts'
import { keptIn, listAreas, namesIn, rowsIn } from './kept.store.ts'
import { areasNow, compare, type RecoveryDeps, recover } from './recovery.ts'
import { isUlid, timeOf, ulid } from './ulid.ts'

/** A difference between the records and the disk. */
export interface Difference {
  /**
   * `unfinished`: an operation that was interrupted; `unrecorded`: an item with a note and without a record; `missing`:
   * a record without its item; `replaced`: another object is in the item's place; `unknown`: an item without a note,
   * which is left alone; `away`: an area that is not there, which proves nothing.
   */
  kind: 'unfinished' | 'unrecorded' | 'missing' | 'replaced' | 'unknown' | 'away'
  /** Missing for an area. */
  id?: string
  /** The path in the served root that it had; of an area, its folder. */
  place: FilePath
}

type KeptPlace = Pick<KeptArea, 'home' | 'area'>

/** Milliseconds in which an operation that is under way ends. */
const UNDER_WAY = 10 * 60_000
const PAGE = 500

/** Compares the records of deleted items with the disk; changes nothing. */
export async function* differences(deps: RecoveryDeps): AsyncGenerator<Difference> {
  const { db, kept } = deps
  for (const { id, place } of await rowsIn(db, ['open', 'leaving'], Date.now() - UNDER_WAY)) {
    yield { kind: 'unfinished', id, place }
  }
  const cans = (await kept.cans?.()) ?? []
  const isCan = ({ home, area }: KeptPlace) => cans.some(can => can.home === home && can.area === area)
  const all = await listAreas(db)
  const recorded = all.filter(area => !isCan(area))
  for (const home of new Set([...recorded.map(area => area.home), ...kept.likelyHomes()])) {
    const area = await kept.area(home).catch(() => undefined)
    if (!area) {
      if (recorded.some(one => one.home === home)) yield { kind: 'away', place: home }
      continue
    }
    const row = recorded.find(one => one.home === home && one.area === area.area)
    yield* differencesIn(deps, { ...area, ...(row && { id: row.id }) })
  }
  for (const can of cans) {
    const row = all.find(one => one.home === can.home && one.area === can.area)
    yield* differencesIn(deps, { ...can, ...(row && { id: row.id }) })
  }
}

/** @param area has an id if it is recorded */
async function* differencesIn(
  { db, kept }: RecoveryDeps,
  area: KeptArea & { id?: string },
): AsyncGenerator<Difference> {
  const last = ulid()
  const known = area.id === undefined ? new Set() : await namesIn(db, area.id)
  const found = new Map<string, FoundKept>()
  for await (const thing of kept.find(area)) {
    found.set(thing.at.name, thing)
    if (known.has(thing.at.name)) continue
    const { note } = thing
    const isForeign = area.stamp !== undefined && note?.id === ''
    if (isForeign) continue
    const place = joinPath(area.home, trustedChild(ROOT, thing.at.name))
    if (isSecondName(thing)) {
      const { name: id } = thing.at
      if (timeOf(id) < Date.now() - UNDER_WAY) yield { kind: 'unfinished', id, place }
    } else if (!note || !isUlid(note.id)) yield { kind: 'unknown', place }
    else yield { kind: 'unrecorded', id: note.id, place: note.place }
  }
  for (let after = ''; area.id !== undefined; ) {
    const page = await keptIn(db, area.id, after, PAGE)
    for (const { id, at, place, identity } of page) {
      if (id > last) continue
      const there = found.get(at.name)?.was ?? (await kept.look(at).catch(() => undefined))
      if (!there) yield { kind: 'missing', id, place }
      else if (there.identity !== identity) yield { kind: 'replaced', id, place }
    }
    after = page.at(-1)?.id ?? ''
    if (page.length < PAGE) return
  }
}

/** Whether it is a second name of a file that has no record yet: its replacement is under way, or never happened. */
const isSecondName = ({ at, note, isLinked }: FoundKept) =>
  at.kind === 'version' && !note && isLinked === true && isUlid(at.name)

/** Brings the records up to date with the disk; nothing on the disk is deleted that was not being deleted. Idempotent. */
export async function repair(deps: RecoveryDeps): Promise<void> {
  await recover(deps, Date.now() - UNDER_WAY)
  for (const area of await areasNow(deps)) await compare(deps, area)
}
