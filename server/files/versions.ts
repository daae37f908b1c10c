import {
  MAX_PINNED_VERSIONS,
  type NextVersion,
  type VersionMode,
  type VersionReason,
} from '../../shared/api/versions.ts'
import { type FilePath, isWithin, joinPath, nameOf, ROOT, trustedChild } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type {
  Entry,
  KeepReplaced,
  KeptThings,
  OpenFile,
  Published,
  ReplacedFile,
  StorageDriver,
} from '../storage/driver.ts'
import type { Base } from './base.ts'
import { type StepAhead, stampOf } from './change-records.ts'
import type { Changes } from './changes.ts'
import { asAt, demandSeen, type Policy, readingPolicy } from './policy.ts'
import type { Recorder } from './recorder.ts'
import type { VersionOwner, VersionRecord } from './version-records.ts'

/** A file that was written. */
export interface Written extends Published {
  /** The id of the version that the replaced content became; `no` where it could not be kept. */
  kept?: string
}

/** An entry of a thing in the trash, by its path in it; `ROOT` is the thing itself. */
export type KeptEntryAt = (within: FilePath) => Promise<Entry | undefined>

/** A version that the user may see. */
export interface SeenVersion extends VersionRecord {
  /** The path in the user's scope that the file had. */
  path: FilePath
  isOwn: boolean
  /** Its disk is not available. */
  isAway: boolean
}

/** A write that replaces a file. */
interface Replacement {
  reason: VersionReason
  /** What is at the path, if known. */
  standing: Entry | undefined
  /** Bytes of the new content, if known. */
  size: number | undefined
}

/** The versions of a file. */
export interface VersionList {
  current: Entry
  /** Whether another program changed the file after the last change through this server. */
  outside: boolean
  items: SeenVersion[]
  more: boolean
  mode: VersionMode
  supported: boolean
  next: NextVersion
  canChange: boolean
}

interface FilesView {
  store: StorageDriver
  policy: Policy
  /** The scope without the guard. */
  whole(): Promise<StorageDriver>
}

interface Context extends FilesView {
  record: Recorder
}

/**
 * Former contents of files, as one user sees them. Everything is judged by the rights and rules of now: a user needs to
 * see the file, and the path that it had when it was replaced.
 */
export class Versions {
  readonly #context: Context
  readonly #changes: Changes
  readonly #base: Base
  readonly #owner: VersionOwner | undefined

  /** @param owner nothing where nothing is kept */
  constructor(context: Context, changes: Changes, base: Base, owner: VersionOwner | undefined) {
    this.#context = context
    this.#changes = changes
    this.#base = base
    this.#owner = owner
  }

  /**
   * Publishes a file, and keeps the content that it replaces; the caller holds the lock of the path.
   * @param publish receives what keeps the replaced file, where one is kept
   * @throws no_trash for an undo of which the replaced content cannot be kept
   */
  async keeping(
    path: FilePath,
    { reason, standing, size: bytes }: Replacement,
    publish: (keep: KeepReplaced | undefined) => Promise<Published>,
  ): Promise<Written> {
    const owner = this.#owner
    const { kept } = this.#context.store
    const isKeeping = owner !== undefined && owner.settings.mode !== 'off' && !owner.settings.skips(nameOf(path))
    const unkept = reason === 'undo' ? refuseLoss : undefined
    if (!isKeeping || !kept) {
      if (standing) unkept?.()
      const entry = await publish(undefined)
      return isKeeping ? this.#notKept(entry, standing) : entry
    }
    const { records, settings, id: userId, username } = owner
    const id = records.newId()
    let replaced: ReplacedFile | undefined
    let ahead: StepAhead | undefined
    const step = { kind: 'replace', path, isFolder: false, kept: id } as const
    const keep: KeepReplaced = {
      id,
      username,
      mayCopy: settings.copyBytes,
      ...(unkept && { unkept }),
      kept: async file => {
        replaced = file
        const { at, was, place, identity, made } = file
        if (ahead) ahead.step.was = was.identity
        else ahead = this.#context.record.ahead({ ...step, was: was.identity, made, ...contentAhead(file, bytes) })
        const { size, modified, mode } = was
        const whose = { userId, username, replacedAt: Date.now(), reason }
        const version = { id, at, place, was: was.identity, identity, size, modified, mode, ...whose }
        await records.begin(version, ahead)
      },
    }
    const place = () => replaced?.place ?? this.#base.placeOf(path)
    try {
      const entry = await publish(keep)
      if (!replaced) return this.#notKept(entry, standing)
      const { identity, size, modified } = entry
      // A moved file may be another one than was announced: a program replaced it just before.
      if (ahead) Object.assign(ahead.step, { made: identity, stamp: stampOf(entry) })
      await records.done(id, { identity, place: place(), size, modified }, ahead)
      return { ...entry, kept: id }
    } catch (thrown) {
      // What is still in the area may have given way already; recovery finds out.
      const isThere = replaced && (await kept.look(replaced.at).catch(() => 'unknown'))
      if (replaced && isThere === undefined) await records.forget(id, ahead).catch(() => {})
      throw thrown
    }
  }

  #notKept(entry: Published, standing: Entry | undefined): Written {
    return standing?.kind === 'file' ? { ...entry, kept: 'no' } : entry
  }

  /**
   * The versions of a file that the user may see, newest first.
   * @throws not_found, is_a_folder, forbidden, outside_scope
   */
  async list(path: FilePath, before: string | undefined, limit: number): Promise<VersionList> {
    const { policy, store } = this.#context
    const current = await this.#file(path)
    const mode = this.#owner?.settings.mode ?? 'off'
    const supported = this.#owner !== undefined && store.kept !== undefined
    const object = await this.#objectOf(current)
    const { items, more } =
      object && supported ? await this.#page(object.id, before, limit) : { items: [], more: false }
    const isOther = ({ size, modified }: Entry) =>
      object?.size !== size || Math.abs((object?.modified ?? 0) - modified) >= 1
    const outside = object?.size != null && (object.identity !== current.identity || isOther(current))
    const next = supported ? await this.#next(path, current) : 'none'
    return { current, outside, items, more, mode, supported, next, canChange: policy.may('replace', path) }
  }

  async #next(path: FilePath, { identity, canonical }: Entry): Promise<NextVersion> {
    const { records, settings } = this.#demandOwner()
    if (settings.mode === 'off') return 'none'
    if (settings.skips(nameOf(path))) return 'skipped'
    return (await records.lostBefore({ identity, place: this.#base.placeOf(canonical) })) ? 'unsure' : 'kept'
  }

  /** @throws not_found */
  async find(id: string): Promise<SeenVersion> {
    const { policy } = this.#context
    const record = await this.#owner?.records.find(id)
    const seen = record && this.#seen(record)
    if (!seen || !policy.may('read', seen.path) || !this.#isVisible(record.objectPlace)) throw new AppError('not_found')
    return this.#asItIs(seen)
  }

  /**
   * What a view of a version works in, for reading, and its path in it.
   * @throws not_found, gone, unavailable
   */
  async view(id: string): Promise<{ context: FilesView; path: FilePath; kept: SeenVersion }> {
    const kept = await this.find(id)
    const path = trustedChild(ROOT, kept.at.name)
    const store = await this.#open(kept)
    const policy = readingPolicy(asAt(this.#context.policy, kept.path), other => other === path)
    return { context: { store, policy, whole: async () => store }, path, kept }
  }

  /** Opens the content of a version of a file. @throws not_found, gone */
  async openOf(path: FilePath, id: string): Promise<{ version: SeenVersion; file: OpenFile }> {
    const object = await this.#objectOf(await this.#file(path))
    const version = await this.find(id)
    if (version.object !== object?.id) throw new AppError('not_found')
    const store = await this.#open(version)
    return { version, file: await store.read(trustedChild(ROOT, version.at.name)) }
  }

  /**
   * Names or pins a version; a named one is pinned.
   * @throws not_found, forbidden, and exists when too many versions of the file are pinned
   */
  async change(id: string, { label, pinned }: { label?: string; pinned?: boolean }): Promise<SeenVersion> {
    const seen = await this.find(id)
    this.#context.policy.demand('replace', seen.path)
    const named = label === undefined ? seen.label : label.trim() || undefined
    const isPinned = pinned ?? (label?.trim() ? true : seen.pinned)
    return this.#changes.lockedKept(id, async () => {
      const { records } = this.#demandOwner()
      const isMore = isPinned && !seen.pinned
      if (isMore && (await records.countPinned(seen.object)) >= MAX_PINNED_VERSIONS)
        throw new AppError('exists', `only ${MAX_PINNED_VERSIONS} versions of a file can be pinned`)
      await records.change(id, { label: named ?? null, pinned: isPinned })
      return { ...seen, label: named, pinned: isPinned }
    })
  }

  /** Deletes a version for good. @throws not_found, gone, forbidden */
  async remove(id: string): Promise<SeenVersion> {
    const seen = await this.find(id)
    this.#context.policy.demand('replace', seen.path)
    await this.#changes.lockedKept(id, async () => {
      const { records } = this.#demandOwner()
      if (!(await records.leave(id))) throw new AppError('gone')
      await this.#kept().drop(seen.at)
      await records.gone(id)
    })
    return seen
  }

  /** A file or a folder was moved; its versions and marks are found at the new path. */
  async moved(from: FilePath, to: FilePath, was: string): Promise<void> {
    const find = async () => {
      const entry = await this.#context.store.stat(to)
      if (!entry) return undefined
      const { identity, canonical, size, modified } = entry
      return { identity, place: this.#base.placeOf(canonical), size, modified }
    }
    // The identity finds a file all the same.
    await this.#owner?.records.moved(this.#base.placeOf(from), was, find).catch(() => {})
  }

  /**
   * A file or a folder came back from the trash.
   * @param isPart what it lay in is still in the trash
   */
  async returned(from: FilePath, to: FilePath, isPart: boolean): Promise<void> {
    if (from === to && !isPart) return
    const base = this.#base
    const store = await this.#context.whole()
    const identityAt = async (place: FilePath) => {
      const path = base.pathOf(place)
      return path && (await store.stat(path))?.identity
    }
    await this.#owner?.records.returned(base.placeOf(from), base.placeOf(to), identityAt).catch(() => {})
  }

  /** A copy of an item in the trash takes its place: its versions and marks belong to the copy. @param from its old path */
  async copied(from: FilePath, to: FilePath, keptAt: KeptEntryAt): Promise<void> {
    const base = this.#base
    const store = await this.#context.whole()
    const find = async (place: FilePath) => {
      const path = base.pathOf(place)
      if (path === undefined || !isWithin(path, from)) return undefined
      const within = (path.slice(from.length) || ROOT) as FilePath
      const [was, now] = await Promise.all([keptAt(within), store.stat(joinPath(to, within))])
      if (!was || !now) return undefined
      const { identity, canonical, size, modified } = now
      return { was: was.identity, now: { identity, place: base.placeOf(canonical), size, modified } }
    }
    await this.#owner?.records.copied(base.placeOf(from), find).catch(() => {})
  }

  /** @throws gone, unavailable */
  async #open({ at }: SeenVersion): Promise<StorageDriver> {
    try {
      return await this.#kept().open(at, inner => inner === ROOT)
    } catch (thrown) {
      throw asAppError(thrown).code === 'not_found' ? new AppError('gone') : thrown
    }
  }

  async #page(object: string, before: string | undefined, limit: number) {
    const { records } = this.#demandOwner()
    const items: SeenVersion[] = []
    for (let last = before; ; ) {
      const page = await records.list(object, last, limit + 1)
      for (const record of page) {
        const seen = this.#seen(record)
        if (seen && items.length === limit) return { items, more: true }
        if (seen) items.push(await this.#asItIs(seen))
      }
      last = page.at(-1)?.id
      if (page.length <= limit) return { items, more: false }
    }
  }

  async #file(path: FilePath): Promise<Entry> {
    const { policy, store } = this.#context
    demandSeen(policy, path, 'read')
    const entry = await store.stat(path)
    if (!entry) throw new AppError('not_found')
    if (entry.kind === 'folder') throw new AppError('is_a_folder')
    if (entry.kind !== 'file') throw new AppError(entry.kind === 'link' ? 'outside_scope' : 'special_file')
    return entry
  }

  #objectOf({ identity, canonical }: Entry) {
    return this.#owner?.records.objectOf({ identity, place: this.#base.placeOf(canonical) })
  }

  #seen(record: VersionRecord): Omit<SeenVersion, 'isAway'> | undefined {
    const path = this.#pathOf(record.place)
    if (path === undefined || !this.#context.policy.sees(path)) return undefined
    return { ...record, path, isOwn: record.userId === this.#demandOwner().id }
  }

  #isVisible(place: FilePath): boolean {
    const path = this.#pathOf(place)
    return path !== undefined && this.#context.policy.sees(path)
  }

  #pathOf(place: FilePath): FilePath | undefined {
    const path = this.#base.pathOf(place)
    return path === ROOT ? undefined : path
  }

  /** A program that still has the file open may have written into it. */
  async #asItIs(seen: Omit<SeenVersion, 'isAway'>): Promise<SeenVersion> {
    const there = await this.#kept()
      .look(seen.at)
      .catch(() => undefined)
    if (!there) return { ...seen, isAway: true }
    return { ...seen, size: there.size, modified: there.modified, isAway: false }
  }

  #demandOwner(): VersionOwner {
    if (!this.#owner) throw new AppError('unsupported')
    return this.#owner
  }

  #kept(): KeptThings {
    const { kept } = this.#context.store
    if (!kept) throw new AppError('unsupported')
    return kept
  }
}

/** An undo loses nothing that is there now. */
function refuseLoss(): never {
  throw new AppError('no_trash', 'what is there now cannot be kept')
}

/** What is known of a content that is about to replace a file. */
const contentAhead = ({ modified }: ReplacedFile, size: number | undefined) => ({
  ...(size !== undefined && { size }),
  ...(size !== undefined && modified !== undefined && { stamp: stampOf({ size, modified }) }),
})
