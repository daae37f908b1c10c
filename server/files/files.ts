import type { Readable } from 'node:stream'
import type { UsageAnswer } from '../../shared/api/resources.ts'
import { type FilePath, nameOf, ROOT } from '../../shared/path.ts'
import type { Sorting } from '../../shared/sorting.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { AppError } from '../errors.ts'
import type { Entry, Head, OpenFile, SizesWanted, StorageDriver } from '../storage/driver.ts'
import { Activity } from './activity.ts'
import { type Base, baseAt } from './base.ts'
import { batchReaderFor } from './batch-read.ts'
import { carrying } from './carry.ts'
import { Changes, unchanging, type WatchedFolder } from './changes.ts'
import { Checksums } from './checksums.ts'
import { Duplicates } from './duplicates.ts'
import type { FilesOptions } from './files-options.ts'
import { type DatedEntry, dated, type FoundEntry, type FoundTexts, type WantedTexts } from './find.ts'
import { findEverywhere, findTextsEverywhere } from './find-in-mounts.ts'
import { NameReservations } from './free-name.ts'
import { History } from './history.ts'
import { type Around, withoutHooks } from './hooks.ts'
import { inboxWriter } from './inbox.ts'
import { type Listing, listingOf } from './listing.ts'
import { Locks } from './locks.ts'
import { demandParent, makeFolder } from './make-folder.ts'
import { Objects } from './objects.ts'
import { NO_DEPENDENTS, Places, type Standing } from './places.ts'
import { demandSeen, type Policy } from './policy.ts'
import { Properties } from './properties.ts'
import { Recent } from './recent.ts'
import { UNRECORDED } from './recorder.ts'
import { Remarks } from './remarks.ts'
import { Rewind } from './rewind.ts'
import { type SandboxFolder, sandboxFolderFor } from './sandbox-scope.ts'
import { fileContext, folderContext } from './shared-view.ts'
import { type FolderSizes, folderSizes, usageOf } from './sizes.ts'
import { earlierStates, snapshotContext } from './snapshots.ts'
import { Stars } from './stars.ts'
import { Tags } from './tags.ts'
import type { OperationContext, ScopeContext } from './transfer.ts'
import { Transfers } from './transfers.ts'
import { type RemovalOptions, type SeenKept, Trash } from './trash.ts'
import { Undo } from './undo.ts'
import { type SeenVersion, Versions, type Written } from './versions.ts'
import { measure, seesEntry, type TreeSize, type WalkItem, type WalkOptions, walkInGroups } from './walk.ts'
import { type WriteRequest, Writer } from './writing.ts'

export type { WriteRequest } from './writing.ts'

/** The content of a share, for holders of its link. */
export interface SharedView {
  /** Can list and read, nothing else. */
  files: Files
  /** The shared entry in `files`: the root for a folder, the only path for a file. */
  path: FilePath
}

/**
 * The files of one user: every operation checks the permission for its effect, the rules for the requested name, and
 * (through the driver's guard) the rules for the opened entry. Handlers hold a `Files`; they cannot reach a driver, so
 * a new route cannot forget a check. Denied paths give `forbidden` before the store is asked, the same whether or not
 * they exist.
 */
export class Files {
  readonly #context: OperationContext
  readonly #store: StorageDriver
  readonly #policy: Policy
  readonly #base: Base
  readonly #cluster: Cluster
  readonly #changes: Changes
  readonly #around: Around
  readonly #places: Places
  readonly #writerInto: (folder: FilePath) => Writer
  /** Writes files; also resumable uploads. */
  readonly writer: Writer
  /** Copies and moves files and folders. */
  readonly transfers: Transfers
  /** What the user deleted, and others in the same folders. */
  readonly trash: Trash
  /** Former contents of the user's files. */
  readonly versions: Versions
  /** What the user changed, and others in the same folders. */
  readonly history: History
  /** Timelines of files and folders. */
  readonly activity: Activity
  readonly undo: Undo
  readonly stars: Stars
  /** The tags that the user sees, and the items that have them. */
  readonly tags: Tags
  readonly remarks: Remarks
  /** What the user opened and changed last. */
  readonly recent: Recent
  readonly checksums: Checksums
  readonly rewind: Rewind
  readonly duplicates: Duplicates
  /** What programs set on the user's files. */
  readonly properties: Properties
  /** Locks of the user's files, and of what they are in. */
  readonly locks: Locks
  /** The displayed name of the root: `''`, or the shared folder's name in a view of one. */
  readonly rootName: string
  /** The snapshots that contain an entry. */
  readonly earlierStates = (path: FilePath, before?: string) => earlierStates(this.#context, path, before)
  /** The place in the served roots of a path. */
  readonly placeOf = (path: FilePath) => this.#base.placeOf(path)
  /** The path of a place in the served roots; nothing for a place that no path leads to. */
  readonly pathOf = (place: FilePath) => this.#base.pathOf(place)
  /** Opens a batch reader of small files; see `batchReaderFor`. */
  readonly batchReader = () => batchReaderFor(this.#store, this.#policy)

  /**
   * @param context the user's scope as a store guarded by the policy, the policy, the scope without the guard, and the
   *   search index
   * @param base the scope's place in the served root, for locks and change events that users of other scopes share
   * @param more `places`: of the served root, where this is not one below it
   */
  constructor(context: ScopeContext, base: Base, cluster: Cluster, more: FilesOptions = {}) {
    const { recheck = unchanging, around = withoutHooks, names = new NameReservations(), rootName = '' } = more
    const record = more.changes?.record ?? UNRECORDED
    this.#context = {
      ...context,
      recheck,
      record,
      replaced: path => this.#changes.notify(path, 'replaced'),
      demandFree: (path, touch) => this.#changes.demandFree(path, touch),
    }
    this.#store = context.store
    this.#policy = context.policy
    this.#base = base
    this.#cluster = cluster
    this.#changes = new Changes(context.store, base, cluster, recheck, more.locks?.guard)
    this.#around = around
    this.#places = more.places ?? new Places(context.whole, baseAt(ROOT), NO_DEPENDENTS)
    this.trash = new Trash(this.#context, this.#changes, this.#places, base, more.trash)
    this.versions = new Versions(this.#context, this.#changes, base, more.versions)
    this.#context.versions = this.versions
    const info = (path: FilePath) => this.info(path)
    const { store, policy } = context
    const owned = { store, policy, changes: this.#changes, info, base, records: more.properties }
    this.properties = this.#context.properties = new Properties(owned)
    this.history = new History(context.policy, base, more.changes?.history)
    const objects = new Objects({ ...context, trash: this.trash, base })
    this.stars = new Stars(info, objects, more.marks)
    const marking = { store, info, policy, objects, owner: more.marks }
    this.tags = new Tags(marking)
    this.remarks = new Remarks(marking)
    this.recent = new Recent(info, objects, more.marks)
    const tools = { files: this, context: this.#context, base, cluster, links: more.changes?.links }
    this.activity = new Activity(this.history, base, info)
    this.undo = new Undo(this.history, tools, more.changes?.recording)
    this.rewind = new Rewind(this.history, tools, more.changes)
    const writing = { ...this.#context, makeRoom: more.makeRoom }
    this.writer = new Writer(writing, this.#changes, around)
    this.#writerInto = folder => inboxWriter(writing, { folder, base, names }, this.#changes, around)
    this.checksums = new Checksums(context, base, more.sums)
    const acting = { context, changes: this.#changes, versions: this.versions }
    this.duplicates = new Duplicates({ ...acting, remove: (path, how) => this.remove(path, how) })
    const about = { changes: this.#changes, places: this.#places, trash: this.trash, around, names, base }
    const places = more.locks?.places ?? { served: context.whole, base: baseAt(ROOT) }
    const locking = { info, policy, changes: this.#changes }
    this.locks = new Locks({ ...locking, places, holder: more.locks?.holder })
    this.transfers = new Transfers({ ...this.#context, ...about })
    this.rootName = rootName
  }

  /** Whether the user has the permissions an effect needs at a path; for responses that show it, never instead of a check. */
  may(effect: Parameters<Policy['may']>[0], path: FilePath): boolean {
    return this.#policy.may(effect, path)
  }

  /** The entry at a path. @throws not_found, forbidden, outside_scope, special_file */
  async info(path: FilePath): Promise<Entry> {
    this.#see(path, 'list')
    const entry = await this.#store.stat(path)
    if (!entry) throw new AppError('not_found')
    if (entry.kind === 'link') throw new AppError('outside_scope')
    return entry
  }

  /** A folder with the children the user may see, unordered. @throws not_found, not_a_folder, forbidden */
  async list(path: FilePath): Promise<{ folder: Entry; items: Entry[] }> {
    const folder = await this.info(path)
    const items: Entry[] = []
    for await (const batch of this.#store.list(path)) {
      if (!this.#policy.restricts) items.push(...batch)
      else for (const entry of batch) if (seesEntry(this.#policy, entry)) items.push(entry)
    }
    return { folder, items }
  }

  /** The children that `list` has, in batches as the store reads them. @throws not_found, not_a_folder, forbidden */
  async *each(path: FilePath): AsyncGenerator<Entry[]> {
    await this.#folder(path)
    for await (const batch of this.#store.list(path))
      yield this.#policy.restricts ? batch.filter(entry => seesEntry(this.#policy, entry)) : batch
  }

  /** The same, sorted; see `Listing`. @param wanted filters the children @throws not_found, not_a_folder, forbidden */
  async listing(path: FilePath, sorting: Sorting, wanted?: (head: Head) => boolean): Promise<Listing> {
    this.#see(path, 'list')
    return listingOf(this.#context, { path, look: () => this.info(path) }, sorting, wanted)
  }

  /** Opens a file's content. @throws not_found, is_a_folder, special_file, forbidden, outside_scope */
  async open(path: FilePath): Promise<OpenFile> {
    this.#see(path, 'read')
    return this.#store.read(path)
  }

  /**
   * Creates or replaces a file from a stream, all or nothing. Rights and rules are rechecked once the stream has ended.
   * @throws exists without `override` (and always for a folder), forbidden when replacing without modify, no_space,
   *   precondition_failed, incomplete_body, body_too_large
   */
  write(path: FilePath, body: Readable, request: WriteRequest): Promise<Written> {
    return this.writer.write(path, body, request)
  }

  /**
   * Replaces the content of an existing file. Rights and rules are rechecked once the stream has ended.
   * @throws not_found, is_a_folder, precondition_failed, no_space, incomplete_body, body_too_large
   */
  save(path: FilePath, body: Readable, request: Omit<WriteRequest, 'override'>): Promise<Written> {
    return this.writer.save(path, body, request)
  }

  /** @throws forbidden without the right to read there; for operations on several files, which are checked one by one, too */
  demandRead(path: FilePath): void {
    this.#policy.demand('read', path)
  }

  /** @throws forbidden unless permissions and rules allow creating an entry at the path */
  demandCreate(path: FilePath): void {
    this.#see(path, 'create')
  }

  /** Everything below a folder that the user may see; see `walkInGroups`. @throws not_found, not_a_folder, forbidden */
  async walk(folder: FilePath, options?: WalkOptions): Promise<AsyncGenerator<WalkItem[]>> {
    await this.#folder(folder)
    return walkInGroups(this.#store, this.#policy, folder, options)
  }

  /** Entries below a folder, and in the mounts below it, by name; see `findEverywhere`. @throws not_found, not_a_folder, forbidden */
  async find(folder: FilePath, words: readonly string[], signal: AbortSignal, sized = false) {
    return findEverywhere(this.#context, await this.#folder(folder), { words, signal, sized })
  }

  /** Files below a folder by their text; see `findTextsEverywhere`. @throws not_found, not_a_folder, forbidden, not_indexed */
  async findTexts(folder: FilePath, wanted: WantedTexts, matches: (name: string) => boolean): Promise<FoundTexts> {
    this.#policy.demand('read', folder)
    return findTextsEverywhere(this.#context, await this.#folder(folder), wanted, matches)
  }

  /** Found entries with their times; see `dated`. */
  dated<T extends FoundEntry>(found: AsyncIterable<T>): AsyncGenerator<T & DatedEntry> {
    return dated(this.#context, found)
  }

  /** The totals and the largest items of a folder, see `folderSizes`. @throws not_found, not_a_folder, forbidden */
  async sizes(path: FilePath, wanted: SizesWanted, signal: AbortSignal): Promise<FolderSizes> {
    return folderSizes(this.#context, await this.#folder(path), wanted, signal)
  }

  /** Refuses a path whose folder does not exist, for protocols that make no parents. @throws not_a_folder, forbidden */
  async demandParent(path: FilePath): Promise<void> {
    this.#see(path, 'list')
    await demandParent(this.#store, path)
  }

  /** Creates a folder; see `makeFolder`. @throws exists, forbidden, not_a_folder */
  async makeFolder(path: FilePath, how?: { alone: boolean }): Promise<void> {
    this.#see(path, 'create')
    if (path !== ROOT)
      await makeFolder({ context: this.#context, changes: this.#changes, around: this.#around }, path, how)
  }

  /** @throws forbidden unless permissions and rules allow the removal */
  demandRemove(path: FilePath): void {
    this.#see(path, 'remove')
    if (path === ROOT) throw new AppError('forbidden')
  }

  /** The identity of the entry at a path; see `Entry.identity`. @throws forbidden */
  async identify(path: FilePath): Promise<string | undefined> {
    this.#see(path, 'list')
    return (await this.#store.stat(path))?.identity
  }

  /**
   * The total size of a path, itself included, as far as the user may see it.
   * @param how `carried`: also counts hidden names, which a copy includes; `most`: see `measure`
   * @throws not_found, forbidden
   */
  async measure(
    path: FilePath,
    signal: AbortSignal,
    how: { carried?: boolean; most?: TreeSize } = {},
  ): Promise<TreeSize> {
    this.#see(path, 'list')
    const { store, policy } = how.carried ? await carrying(this.#context) : this.#context
    return measure(store, policy, path, signal, how.most)
  }

  /**
   * Removes a file, a link or a whole tree, to the trash where there is one; refused completely if a rule denies any part.
   * @returns the id of the kept thing; nothing for a permanent removal
   * @throws not_found, no_trash
   */
  async remove(path: FilePath, how: RemovalOptions = {}): Promise<string | undefined> {
    const { only } = how
    this.demandRemove(path)
    if (only !== undefined && (await this.identify(path)) !== only) throw new AppError('not_found')
    const check = async () => {
      await this.trash.demandRemovable(path)
      await this.#changes.demandFree(path, 'tree')
    }
    const remove = () => this.properties.removing(path, () => this.trash.remove(path, how))
    return this.#around({ name: 'delete', path }, remove, check)
  }

  /** The files as they were in a snapshot, to list and read. @throws not_found */
  async at(snapshot: string): Promise<Files> {
    return new Files(await snapshotContext(this.#context, snapshot), this.#base, this.#cluster)
  }

  /** A thing in the trash, to list and read; see `Trash.view`. @throws not_found, forbidden */
  async kept(id: string): Promise<SharedView & { kept: SeenKept }> {
    const { context, ...rest } = await this.trash.view(id)
    return { files: new Files(context, this.#base, this.#cluster), ...rest }
  }

  /** A version of a file, to read; see `Versions.view`. @throws not_found, gone */
  async version(id: string): Promise<SharedView & { kept: SeenVersion }> {
    const { context, ...rest } = await this.versions.view(id)
    return { files: new Files(context, this.#base, this.#cluster), ...rest }
  }

  /** The folder in which the user's programs run, and what they see. @throws see `info`, `sandboxFolderFor` */
  async sandboxFolder(path: FilePath): Promise<SandboxFolder> {
    const { canonical } = await this.#folder(path)
    if (this.#policy.crosses?.(ROOT, canonical)) throw new AppError('unsupported')
    return sandboxFolderFor(this.#context, canonical)
  }

  /** Calls `notify` when something in a folder may have changed, by any program. @throws see `info`, not_a_folder */
  async watch(path: FilePath, notify: () => void): Promise<WatchedFolder> {
    const { canonical } = await this.#folder(path)
    return { canonical, end: await this.#changes.watch(path, canonical, notify) }
  }

  /** The disk usage of the store below a folder, see `usageOf`. @throws as `info` */
  async usage(path: FilePath, below = false): Promise<UsageAnswer> {
    return usageOf(this.#context, await this.info(path), below)
  }

  /** The entry for a new share link. @throws not_found, forbidden, outside_scope, special_file */
  async shareable(path: FilePath): Promise<Standing> {
    this.#see(path, 'share')
    const { kind } = await this.info(path)
    if (kind === 'special') throw new AppError('special_file')
    return this.standing(path)
  }

  /** The entry at a path, and its place in the served root. @throws not_found, forbidden */
  async standing(path: FilePath): Promise<Standing> {
    this.#see(path, 'list')
    const standing = await this.#places.standing(path)
    if (!standing) throw new AppError('not_found')
    return standing
  }

  /**
   * The files of a share: list and read only, nothing above the path, with this user's rules in force.
   * @throws not_found, forbidden, outside_scope
   */
  async under(path: FilePath): Promise<SharedView> {
    const { kind } = await this.info(path)
    if (kind !== 'folder')
      return { files: new Files(fileContext(this.#context, path), this.#base, this.#cluster), path }
    const context = await folderContext(this.#context, path)
    const files = new Files(context, baseAt(this.#base.placeOf(path)), this.#cluster, { rootName: nameOf(path) })
    return { files, path: ROOT }
  }

  /** A writer into one folder for visitors, see `inboxWriter`. @throws as `info`, not_a_folder */
  async inbox(path: FilePath): Promise<Writer> {
    this.#policy.demand('create', path)
    await this.#folder(path)
    return this.#writerInto(path)
  }

  #see(path: FilePath, effect: Parameters<Policy['demand']>[0]): void {
    demandSeen(this.#policy, path, effect)
  }

  async #folder(path: FilePath): Promise<Entry> {
    const entry = await this.info(path)
    if (entry.kind !== 'folder') throw new AppError('not_a_folder')
    return entry
  }
}
