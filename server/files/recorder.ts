import type { ChangeKind } from '../../shared/api/changes.ts'
import { type FilePath, parentOf, ROOT } from '../../shared/path.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import type { Base } from './base.ts'
import { EMPTY, type Recording, type Step, type StepAhead, stampOf } from './change-records.ts'

/** Notes what an operation of one user did. Paths are in the user's scope; nothing is written yet. */
export interface Recorder {
  /** What the user does, unless it is known already. */
  does(kind: ChangeKind): void
  /** @param source as it was at the old path @param identity at the new path, if it has another one */
  moved(source: Entry, to: FilePath, identity?: string): void
  /** A folder is about to be made: its step includes what is made in it. */
  cover(folder: FilePath): void
  /** Another operation made it. */
  uncover(folder: FilePath): void
  /** The entry is new. */
  made(entry: Entry, isEmpty?: boolean): void
  /** The entry took the place of a file. @param kept the version that the old content became */
  replaced(was: Entry, entry: Entry, kept?: string): void
  /** Whether the step of a replaced file, which became this version, was written in advance. */
  isAhead(kept: string): boolean
  /** The kept thing came back. */
  restored(entry: Entry, kept: string): void
  /** A share link was made, changed or removed. */
  linked(path: FilePath, link: LinkStep): void
  /** Deleted for good. */
  purged(path: FilePath, about: { isFolder: boolean; size: number; identity?: string; kept?: string }): void
  /** A step that is to be written before its effect; `undefined` where none is recorded. */
  ahead(step: Omit<StepAhead['step'], 'place'> & { path: FilePath }): StepAhead | undefined
}

/** What was done to a share link. */
export interface LinkStep {
  /** Opens nothing. */
  id: string
  identity: string
  isFolder: boolean
  did: 'made' | 'changed' | 'removed'
  /** Where it was changed; see `Step`. */
  settings?: string
}

/** What the step of a share link says, apart from its place. */
export const linkStep = ({ id, identity, isFolder, did, settings }: LinkStep): Omit<Step, 'place'> => ({
  kind: 'link',
  isFolder,
  kept: id,
  ...(did !== 'removed' && { made: identity }),
  ...(did !== 'made' && { was: identity }),
  ...(settings !== undefined && { settings }),
})

/** Where nothing is recorded: for views, visitors and commands of the host. */
export const UNRECORDED: Recorder = {
  does() {},
  moved() {},
  cover() {},
  uncover() {},
  made() {},
  replaced() {},
  isAhead: () => false,
  restored() {},
  linked() {},
  purged() {},
  ahead: () => undefined,
}

/** @param base the scope's place in the served root */
export function recorderInto(recording: Recording, owner: { id: number; username: string }, base: Base): Recorder {
  recording.owner = { id: owner.id, username: owner.username }
  const placeOf = (path: FilePath) => base.placeOf(path)
  const madeStep = (kind: 'make' | 'replace' | 'restore', entry: Entry, more: Partial<Step> = {}) => {
    const isFolder = entry.kind === 'folder'
    const { identity, size } = entry
    const file = isFolder ? {} : { stamp: stampOf(entry), size }
    recording.add({ kind, place: placeOf(entry.path), isFolder, made: identity, ...file, ...more })
  }
  return {
    does(kind) {
      recording.kind ??= kind
    },
    moved(source, to, identity = source.identity) {
      const isFolder = source.kind === 'folder'
      const place = placeOf(source.path)
      const size = isFolder ? {} : { size: source.size }
      const was = identity === source.identity ? {} : { was: source.identity }
      recording.add({ kind: 'move', place, target: placeOf(to), isFolder, ...was, made: identity, ...size })
    },
    cover: folder => recording.cover(placeOf(folder)),
    uncover: folder => recording.uncover(placeOf(folder)),
    isAhead: kept => recording.ahead.has(kept),
    made(entry, isEmpty = false) {
      if (recording.covers(placeOf(entry.path), entry.kind === 'folder')) return
      madeStep('make', entry, isEmpty ? { stamp: EMPTY } : {})
      if (entry.kind === 'folder') recording.cover(placeOf(entry.path))
    },
    replaced(was, entry, kept) {
      if (kept !== undefined && recording.ahead.has(kept)) return
      if (recording.covers(placeOf(entry.path), entry.kind === 'folder')) return
      madeStep('replace', entry, { was: was.identity, ...(kept === undefined ? {} : { kept }) })
    },
    restored(entry, kept) {
      const ahead = recording.ahead.get(kept)
      if (ahead?.kind !== 'restore' || ahead.place !== placeOf(entry.path)) return madeStep('restore', entry, { kept })
      if (ahead.stamp !== undefined) ahead.stamp = stampOf(entry)
      ahead.made = entry.identity
      recording.settle({ step: { ...ahead, kept } })
    },
    linked: (path, link) => recording.add({ place: placeOf(path), ...linkStep(link) }),
    purged(path, { isFolder, size, identity, kept }) {
      const more = { ...(identity !== undefined && { was: identity }), ...(kept !== undefined && { kept }) }
      recording.add({ kind: 'purge', place: placeOf(path), isFolder, size, ...more })
    },
    ahead({ path, ...step }) {
      return { recording, step: { ...step, place: placeOf(path) } }
    },
  }
}

/**
 * Records a file that was written.
 * @param standing what it replaced, as far as that was known: another file may have come there since
 */
export function recordWritten(record: Recorder, standing: Entry | undefined, written: Entry & { kept?: string }): void {
  const { kept } = written
  if (standing) record.replaced(standing, written, kept === 'no' ? undefined : kept)
  else if (kept === undefined || !record.isAhead(kept)) record.made(written)
}

/** Records what is at a path as new. @param isEmpty a folder without any file in it */
export async function recordMade({ store, record }: Recorded, path: FilePath, isEmpty = false): Promise<void> {
  if (record === UNRECORDED) return
  const entry = await store.stat(path).catch(() => undefined)
  if (entry) record.made(entry, isEmpty)
}

/**
 * Runs `act`, which makes an entry at a path, and records the highest folder that was made for it.
 * @param how.isEmpty a folder without any file in it
 * @param how.madeFor the highest folder that `act` made, where the store says it: another operation may have made or moved
 *    one there since; `none` if it made none
 */
export async function recordParents<T>(
  context: Recorded,
  path: FilePath,
  act: () => Promise<T>,
  how: { isEmpty?: boolean; madeFor?: (result: T) => FilePath | 'none' | undefined } = {},
): Promise<T> {
  const top = context.record === UNRECORDED ? undefined : await missingAbove(context.store, path)
  if (top === undefined) return act()
  context.record.cover(top)
  const result = await act()
  const made = how.madeFor?.(result) ?? top
  if (made !== top) context.record.uncover(top)
  if (made !== 'none') await recordMade(context, made, how.isEmpty)
  return result
}

/** Makes a folder and its missing parents, and records the highest of them. */
export async function recordFolder(context: Recorded, path: FilePath): Promise<void> {
  context.record.does('create')
  await recordParents(context, path, () => context.store.mkdir(path), { isEmpty: true })
  await recordMade(context, path, true)
}

interface Recorded {
  store: StorageDriver
  record: Recorder
}

/** The highest missing folder on the way to a path; `undefined` if its parent exists. */
async function missingAbove(store: StorageDriver, path: FilePath): Promise<FilePath | undefined> {
  let missing: FilePath | undefined
  for (let folder = parentOf(path); folder !== ROOT; folder = parentOf(folder)) {
    // A folder that the user may not see is there.
    if (await store.stat(folder).catch(() => 'hidden')) break
    missing = folder
  }
  return missing
}
