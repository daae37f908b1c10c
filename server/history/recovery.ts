import { createHash } from 'node:crypto'
import { type FilePath, isWithin } from '../../shared/path.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { fromStored } from '../db/paths.ts'
import type { Db } from '../db/schema.ts'
import { asAppError } from '../errors.ts'
import type { Dependents } from '../files/places.ts'
import type { Entry, FoundKept, KeptArea, KeptAt, KeptThings, StorageDriver } from '../storage/driver.ts'
import { inTransaction } from './changes.store.ts'
import {
  areaId,
  changeState,
  deleteKept,
  endKept,
  findKept,
  insertKept,
  type KeptRow,
  keptIn,
  listAreas,
  moveKept,
  namesIn,
  rowsIn,
  userNamed,
} from './kept.store.ts'
import { dropKeptStep, endKeptStep, loseKeptStep, type OpenStep, openRestores } from './steps-ahead.store.ts'
import { isUlid, timeOf, ulid } from './ulid.ts'
import { adoptVersion, completeVersion, correctKept } from './versions.store.ts'

export interface RecoveryDeps {
  db: Db
  cluster: Cluster
  /** The whole served root. */
  storage: StorageDriver
  kept: KeptThings
  dependents: Dependents
  /** Receives what keeps a row from being settled, except an unavailable disk. */
  log?: { error(facts: object, text: string): void }
}

/** Milliseconds after which no process that is alive still replaces a file. */
const MADE_BEFORE = 10 * 60_000
/** Rows read at a time. */
const PAGE = 500

/**
 * Settles rows that a process left behind in the middle of an operation. A live process holds
 * the lock of its rows; a row whose lock is free is settled.
 * @param before milliseconds since the epoch; later rows may belong to a running operation
 */
export async function recover(deps: RecoveryDeps, before: number): Promise<void> {
  // An unavailable disk decides nothing; the next run tries again.
  const skip = (kept: string) => (err: unknown) => {
    if (asAppError(err).code === 'internal') deps.log?.error({ err, kept }, 'an interrupted operation is not settled')
  }
  for (const { id, state, place } of await rowsIn(deps.db, ['open', 'leaving'], before)) {
    const key = state === 'open' ? `file:${place}` : `kept:${id}`
    await deps.cluster.lock(key, () => settle(deps, id)).catch(skip(id))
  }
  for (const step of await openRestores(deps.db)) {
    await deps.cluster.lock(`kept:${step.kept}`, () => settleRestore(deps, step)).catch(skip(step.kept))
  }
}

/** A restore that was recorded in advance was done if the thing has the path. */
async function settleRestore({ db, storage }: RecoveryDeps, { kept, place, made }: OpenStep): Promise<void> {
  const standing = await storage.stat(fromStored(place) as FilePath)
  await inTransaction(db, transaction =>
    standing && standing.identity === made ? endKeptStep(transaction, kept) : dropKeptStep(transaction, kept),
  )
}

async function settle({ db, storage, kept, dependents }: RecoveryDeps, id: string): Promise<void> {
  const row = await findKept(db, id)
  if (row?.state !== 'open' && row?.state !== 'leaving') return
  const isThing = row.at.kind !== 'version'
  if (isThing && row.state === 'open') await kept.complete?.(row.at, 'setAside')
  if (isThing && row.goneWhy === 'restored') await kept.complete?.(row.at, 'bringBack')
  const found = await kept.look(row.at)
  if (row.state === 'open' && row.at.kind === 'version') return settleReplaced({ db, storage, kept }, row, found)
  const isThere = found?.identity === row.identity
  if (row.state === 'leaving') {
    if (isThere && (row.goneWhy === 'restored' || row.goneWhy === 'lost'))
      return void (await changeState(db, id, 'leaving', 'kept'))
    // After a restore only the note can be left.
    if (row.goneWhy === 'restored') await kept.drop(row.at)
    else await remove(kept, dependents, row)
    return endKept(db, id)
  }
  if (isThere) {
    await changeState(db, id, 'open', 'kept')
    await endKeptStep(db, id)
    const leaving = await dependents.leaving([row.place], async () => undefined)
    return leaving.done(id)
  }
  const standing = await storage.stat(row.place)
  await kept.drop(row.at)
  if (standing?.isLink || standing?.identity === row.identity) {
    await dropKeptStep(db, id)
    return deleteKept(db, id)
  }
  await loseKeptStep(db, id)
  await changeState(db, id, 'open', 'leaving', 'lost')
  await endKept(db, id)
}

/**
 * A file was about to be replaced. If it still has its path, it was not; otherwise what is kept may be the only name of
 * its content, and stays.
 */
async function settleReplaced(
  { db, storage, kept }: Pick<RecoveryDeps, 'db' | 'storage' | 'kept'>,
  { id, at, place, was, identity: recorded }: KeptRow,
  found: Entry | undefined,
): Promise<void> {
  const standing = await storage.stat(place)
  if (standing?.identity === was) {
    await kept.drop(at)
    await dropKeptStep(db, id)
    return deleteKept(db, id)
  }
  if (!found) {
    await loseKeptStep(db, id)
    await changeState(db, id, 'open', 'leaving', 'lost')
    return endKept(db, id)
  }
  // Another program exchanged the file right before it was replaced.
  if (found.identity !== recorded) await correctKept(db, id, found)
  await inTransaction(db, async transaction => {
    if (standing?.kind !== 'file') await changeState(transaction, id, 'open', 'kept')
    else await completeVersion(transaction, id, { ...standing, place })
    await endKeptStep(transaction, id)
  })
}

async function remove(kept: KeptThings, dependents: Dependents, { id, at }: KeptRow): Promise<void> {
  await kept.drop(at)
  await dependents.purged(id)
}

/** Deletes a thing for good. @returns whether it was in the trash */
export async function expire(
  { db, cluster, storage, kept, dependents }: RecoveryDeps,
  row: KeptRow,
  why: 'age' | 'share' | 'need' | 'thinned',
): Promise<boolean> {
  return cluster.lock(`kept:${row.id}`, async () => {
    const there = await kept.look(row.at)
    if (there && there.identity !== row.identity) return false
    if (row.at.kind === 'version' && (row.pinned || (await isLive(storage, row)))) {
      return false
    }
    if (!(await changeState(db, row.id, 'kept', 'leaving', why))) return false
    await remove(kept, dependents, row)
    await endKept(db, row.id)
    if (row.at.kind !== 'version') cluster.publish('trash.changed', { place: row.place })
    return true
  })
}

/** Whether a version is the file at its path itself. */
async function isLive(storage: StorageDriver, { place, identity }: KeptRow): Promise<boolean> {
  const standing = await storage.stat(place).catch(() => undefined)
  return standing?.identity === identity
}

/** Every area that is there, with its row. @param over only those that can hold what was at this place */
export async function areasNow({ db, kept }: RecoveryDeps, over?: FilePath): Promise<(KeptArea & { id: string })[]> {
  const homes = new Set([...(await listAreas(db)).map(({ home }) => home), ...kept.likelyHomes()])
  const areas: (KeptArea & { id: string })[] = []
  for (const home of homes) {
    if (over !== undefined && !isWithin(over, home)) continue
    const area = await kept.area(home).catch(() => undefined)
    if (area) areas.push({ ...area, id: await areaId(db, area) })
  }
  for (const can of (await kept.cans?.()) ?? []) areas.push({ ...can, id: await areaId(db, can) })
  return areas
}

/**
 * Compares an area with its rows: things without a row are recorded by the note next to them, as after the database was
 * restored from a backup; rows whose thing another program took out end. A thing without a note is left alone.
 * @returns the number of things without a note
 */
export function compare(deps: RecoveryDeps, area: KeptArea & { id: string }): Promise<number> {
  return deps.cluster.lock(`area:${area.id}`, () => compareLocked(deps, area))
}

async function compareLocked(deps: RecoveryDeps, area: KeptArea & { id: string }): Promise<number> {
  const { db, kept, cluster } = deps
  const known = await namesIn(db, area.id)
  const last = ulid()
  const found = new Set<string>()
  let unknown = 0
  for await (const thing of kept.find(area)) {
    found.add(thing.at.name)
    if (known.has(thing.at.name)) continue
    if (!thing.note && thing.at.kind !== 'version') unknown += 1
    if (thing.at.kind === 'version') await adoptFound(deps, thing)
    else if (await adopt(db, thing, area)) cluster.publish('trash.changed', { place: thing.note?.place ?? area.home })
  }
  for (let after = ''; ; ) {
    const page = await keptIn(db, area.id, after, PAGE)
    for (const { id, at, place } of page) {
      if (found.has(at.name) || id > last || (await kept.look(at).catch(() => true))) continue
      if (!(await changeState(db, id, 'kept', 'leaving', 'lost'))) continue
      await endKept(db, id)
      cluster.publish('trash.changed', { place })
    }
    after = page.at(-1)?.id ?? ''
    if (page.length < PAGE) return unknown
  }
}

/** @returns whether the thing is in the trash now */
async function adopt(db: Db, { at, was, note }: FoundKept, { stamp }: KeptArea): Promise<boolean> {
  const isInCan = stamp !== undefined
  if (!note || !(isInCan || isUlid(note.id))) return false
  const { place, username } = note
  const deletedAt = Math.min(note.deletedAt || was.modified, Date.now())
  const isForeign = !isUlid(note.id)
  const id = isForeign ? foreignId(at, was, deletedAt) : note.id
  const before = await findKept(db, id)
  if (before) {
    if (before.identity !== was.identity) return false
    await moveKept(db, id, at)
    return changeState(db, id, 'gone', 'kept')
  }
  const isFolder = was.kind === 'folder'
  const { identity, modified, mode } = was
  const userId = isForeign ? 0 : await userNamed(db, username)
  const size = isFolder ? 0 : was.size
  const record = { id, at, place, identity, isFolder, size, modified, mode, userId, username, deletedAt }
  const reason = isForeign ? 'desktop' : 'outside'
  await insertKept(db, record, { area: await areaId(db, at), state: 'kept', reason })
  return true
}

/** The same for each look at a thing that another program deleted. */
function foreignId({ home, area, name }: KeptAt, { identity }: Entry, deletedAt: number): string {
  const hash = createHash('sha256').update([home, area, name, identity, deletedAt].join('\0')).digest()
  return ulid(Math.max(0, Math.trunc(deletedAt)), hash)
}

/**
 * Records a version that the list on the disk names: it got its line after its row. One that the list does not name, and
 * that has another name, was left by a process that was killed before it replaced the file.
 */
async function adoptFound({ db, kept }: RecoveryDeps, { at, was, note, isLinked }: FoundKept): Promise<void> {
  const { identity, size, modified, mode } = was
  const id = at.name
  if (!isUlid(id) || (await findKept(db, id))) return
  if (!note) {
    if (isLinked && Date.now() - timeOf(id) >= MADE_BEFORE) await kept.drop(at)
    return
  }
  const { place, username, deletedAt: replacedAt } = note
  const whose = { userId: await userNamed(db, username), username, replacedAt, reason: 'outside' as const }
  await adoptVersion(db, { id, at, place, was: identity, identity, size, modified, mode, ...whose })
}
