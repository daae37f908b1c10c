import type { Readable } from 'node:stream'
import type { FilePath } from '../../shared/path.ts'
import type { Sorting } from '../../shared/sorting.ts'
import type { Amount } from '../lib/amount.ts'
import type { BatchCopier, BatchReader } from './batch.ts'
import type { Entry } from './entry.ts'
import type { Usage } from './folder-size.ts'
import type { NamesMet } from './found-names.ts'
import type { PathGuard } from './guard.ts'
import type { KeptIn } from './kept.ts'
import type { SystemRights } from './rights.ts'
import type { KnownObject } from './same-object.ts'
import type { SnapshotsIn } from './snapshots.ts'
import type { PublishOptions, ResumableFiles, StagedFile, WriteOptions } from './write-file.ts'

export {
  type BatchCopier,
  type BatchReader,
  type CopyRequest,
  LARGEST_IN_BATCH,
  type ReadFile,
  type ReadRequest,
} from './batch.ts'
export type { CachedFile, CacheStore } from './cache-store.ts'
export type { Entry } from './entry.ts'
export type { KnownSizes, KnownSum, SizedName, SizesWanted, Usage } from './folder-size.ts'
export { entriesIn, type FoundEntry, type HitBatch, type NamesMet } from './found-names.ts'
export { EVERYTHING, type PathGuard } from './guard.ts'
export type {
  AsideOptions,
  FoundKept,
  Instead,
  KeepReplaced,
  KeptArea,
  KeptAt,
  KeptNote,
  ReplacedFile,
} from './kept.ts'
export { keepInRoot, keptInRoot } from './kept-in-root.ts'
export type { Account, SystemRights } from './rights.ts'
export type { Snapshot, SnapshotsIn } from './snapshots.ts'
export {
  type AppendOptions,
  append,
  type ContentCheck,
  fill,
  fillFrom,
  holdErrors,
  type Published,
  type PublishOptions,
  type ResumableFile,
  type ResumableFiles,
  type StagedFile,
  type WriteOptions,
  writeFile,
} from './write-file.ts'

/** See `KeptIn`. */
export type KeptThings = KeptIn<StorageDriver>
/**
 * A file store: a directory on disk, a bucket, memory. Paths are relative to the driver's own root and already parsed.
 * Names are bytes: a name that is not UTF-8 is returned and accepted in the encoding of `shared/bytes.ts`. A driver
 * knows nothing of users, permissions or HTTP; `Files` is its only caller.
 *
 * Every operation acts on the object that it opened, never on a name that it checked before. Links are followed while
 * they stay below the root; a driver may be configured to follow others too, and the target of such a link then counts
 * as lying at the link. Before an operation touches anything it asks the driver's guard (see `within`) about the
 * *canonical* path: for a link that of its target, for a new file the canonical path of its folder plus the new name.
 *
 * Every operation throws an `AppError`:
 * - `forbidden` when the guard refuses the canonical path
 * - `outside_scope` when a link on the way leads out of the root (or nowhere, where it must be followed)
 * - `special_file` for a FIFO, socket or device, without opening it
 * - `no_space`, `read_only`, `unavailable` as the store reports them; `server_refused` when the operating system denies
 *   this process the operation
 *
 * No foreign error (`ENOENT`, …) leaves a driver.
 */
export interface StorageDriver {
  /**
   * Describes the path, links followed; `undefined` when it does not exist (also below a regular file). A link that
   * cannot be followed inside the root has `kind: 'link'` and the link's own data.
   */
  stat(path: FilePath): Promise<Entry | undefined>

  /**
   * The children of a folder in batches, in no order unless there is `sorted`. Special files are listed as `special`,
   * links as their targets (see `stat`), staging files never. A child that vanishes or cannot be read during the
   * listing is left out.
   * @throws not_found, not_a_folder
   */
  list(folder: FilePath): AsyncIterable<Entry[]>

  /**
   * The same children in an order; see `SortedFolder`. Only where that does not list the whole folder
   * first; `list` then yields the children ordered by name, as `<` compares them.
   * @param each whether every child must be among the heads; otherwise children may be counted only
   * @throws not_found, not_a_folder
   */
  sorted?(folder: FilePath, sorting: Sorting, each: boolean): Promise<SortedFolder>

  /**
   * Opens a file for reading. The caller must `close()` it when the streams made from it are done.
   * @throws not_found, is_a_folder
   */
  read(file: FilePath): Promise<OpenFile>

  /**
   * Begins a file: the primitive of every write, see `StagedFile`. No folder is made for it yet.
   * @throws not_a_folder (a parent is a file), is_a_folder
   */
  stage(file: FilePath, how?: Pick<PublishOptions, 'modified' | 'length' | 'ifAbsent'>): Promise<StagedFile>
  /** Files that arrive in parts, also across restarts. */
  readonly resumable: ResumableFiles

  /**
   * Makes a folder and its missing parents; succeeds if the folder exists.
   * @throws exists for anything but a folder at the path, not_a_folder when a parent is a file
   */
  mkdir(folder: FilePath): Promise<void>

  /**
   * Removes a file, a link (never its target) or a whole tree. The guard is asked about every entry of a tree before
   * anything is removed. The root itself is refused with `forbidden`. After an abort the entries not yet reached
   * remain.
   * @throws not_found, and unavailable for a folder with `exactly` that is not empty
   */
  remove(path: FilePath, how?: RemoveOptions): Promise<void>

  /**
   * The same store with `folder` as its root, confined to it: no path and no link leads out of it. `guard` receives
   * canonical paths relative to the new root. The root itself need not be checked: operations in a missing root throw.
   * @throws not_found, not_a_folder
   */
  within(folder: FilePath, guard?: PathGuard): Promise<StorageDriver>

  /**
   * Only if cheaper than copy and remove. Without `over` it never overwrites.
   * @throws not_found, exists, unsupported (another file system), and with `over` precondition_failed
   */
  move?(from: FilePath, to: FilePath, how?: MoveOptions): Promise<void>
  /**
   * Copies one file within the store, all or nothing. Only where the store itself copies but cannot rename: `move`
   * then copies each entry before it removes the source, which takes time. An interrupted move leaves the same object
   * at both paths; moving again resumes it. Keeps the modification time unless `how` sets one.
   * @throws not_found, is_a_folder and as `StagedFile.publish`
   */
  copy?(from: FilePath, to: FilePath, how: WriteOptions): Promise<Entry>
  /** Only where the files are on a disk of this machine, and open files have descriptors. */
  readonly disk?: Disk
  /** Only where that is cheaper than listing each folder. */
  readonly scan?: TreeScan
  /**
   * The place of a canonical path below the root that was opened; `undefined` where it lies elsewhere, behind a link
   * that leads out. Only where the store is a part of such a root, or all of it.
   */
  placeInRoot?(canonical: FilePath): FilePath | undefined
  /** Only where the file system makes snapshots, and the host lets users see them. */
  readonly snapshots?: SnapshotsIn<StorageDriver>
  /** Only where deleted things can be kept. */
  kept?: KeptThings
  /** Only where incomplete folders can wait until they are filled, also across restarts. */
  trees?: StagedTrees
  /** Only where a killed process leaves anything behind. */
  readonly cleanup?: Cleanup
  /** Only where quotas count, for callers that know in advance how much they will write. */
  readonly quota?: QuotaView
}

/** What a caller can ask of quotas before it writes. */
export interface QuotaView {
  /** Whether a quota counts what is at a path; where none does, nothing needs to be measured. */
  counts(path: FilePath): Promise<boolean>
  /** The limit of what is in a folder and the bytes that it holds, of several the one with the least left. */
  usage(folder: FilePath): Promise<Usage | undefined>
  /** @throws quota_exceeded unless so much fits now */
  demand(path: FilePath, amount: Amount): Promise<void>
}

/** What a store on a disk of this machine offers in addition. */
export interface Disk {
  /** The capacity of the volume that holds the folder; zeros where it is unknown, as in a bucket. @throws not_found */
  usage(folder: FilePath): Promise<Usage>
  /** What the operating system lets this process do, links followed; for explanations. @throws not_found */
  rights(path: FilePath): Promise<SystemRights>
  /**
   * Sets the permission bits of a folder, but takes none from the owner, who has to fill and remove it.
   * @throws not_found, not_a_folder
   */
  setMode(folder: FilePath, mode: number): Promise<void>
  /** Sets the modification time of a file or a folder, in milliseconds since the epoch. @throws not_found */
  setTime(path: FilePath, modified: number): Promise<void>
  /**
   * Makes a file's name another name of the file `to`; the file that had it is gone. The name is never missing.
   * @param how `identity`: of that file; `ifMatch`: the version of the file that gives way
   * @throws not_found, precondition_failed, changed_since (another file is at `to`), unsupported (another disk)
   */
  linkOver(path: FilePath, how: { to: FilePath; identity: string; ifMatch: string }): Promise<void>
  /**
   * The real path. For commands and hooks, never for responses.
   * @throws unsupported for a path that is not UTF-8: Node cannot pass it to programs
   */
  pathOf(path: FilePath): string
  /** Holds the root open, for the sandbox of commands and hooks. @throws not_found */
  holdRoot(): Promise<HeldRoot>
  /** Starts a batch reader for small files; `undefined` while too many are open. */
  batchReader(): BatchReader | undefined
  /**
   * Notifies of changes to a folder's list of names by any program, and where the system can also of changes to file
   * content. Spurious notifications are possible.
   * @returns ends the watch
   * @throws not_found, not_a_folder
   */
  watch(folder: FilePath, notify: () => void): Promise<() => void>
  /** Only where the kernel is called directly. */
  readonly attributes?: Attributes
}

/** Extended attributes of files and folders, links followed. @throws not_found, unsupported, no_space */
export interface Attributes {
  /** The bytes of one; `undefined` where there is none of this name. */
  read(path: FilePath, name: string): Promise<Buffer | undefined>
  write(path: FilePath, name: string, value: Buffer): Promise<void>
}

export interface TreeScan {
  /**
   * Finds names below a folder by reading every folder now, in batches, in walk order: at least the entries whose name
   * contains one of the words, ignoring case; all of them without words. Folders that could not be read come last. The
   * guard is asked about each entry, not about its parent folders.
   * @throws not_found, not_a_folder
   */
  names(folder: FilePath, words: readonly string[]): AsyncIterable<NamesMet>
  /** Whether it returns the sizes of files. */
  readonly hasSizes: boolean
}

export interface Cleanup {
  /**
   * Removes leftovers of killed processes from one place: nothing else, and nothing that this process is making.
   * @param place as the store reported it when the work began there
   * @returns how many leftovers have to stay
   */
  sweep(place: string, how: SweepOptions): Promise<number>
  /**
   * Removes a folder that a killed process made for a file that never arrived: only if it is empty and was made at that
   * time, so that no user's folder of the same name is removed.
   * @param folder as the store reported it
   * @param madeAt milliseconds since the epoch
   */
  sweepFolder?(folder: string, madeAt: number): Promise<void>
}

/** The root of a store, held open. */
export interface HeldRoot {
  /** `undefined` where the system cannot hold the root open and knows it by its name only. */
  descriptor: number | undefined
  close(): void
}

export interface SweepOptions {
  /** Milliseconds since the epoch; leftovers changed later stay. */
  before: number
  /** Whether a client may still resume the staged file of this name. */
  isAwaited(name: string): boolean
}

export interface RemoveOptions {
  signal?: AbortSignal
  /**
   * Removes nothing but this object: a file of this size and time, or an empty folder. Whatever else has come to the path is
   * `not_found`, and stays.
   */
  exactly?: Omit<KnownObject, 'kind'>
  /** Reports how many more entries were removed. */
  removed?: (count: number) => void
}

export interface MoveOptions {
  /** Aborts a move that copies; the copies made so far are removed. */
  signal?: AbortSignal
  /** Reports what has been copied since the last call. */
  moved?: (done: { entries: number; bytes?: number }) => void
  /**
   * A file at the new path gives way to the moved file in one step, and its name is never missing. `unsupported` where a
   * store cannot do that; anything but two files is `exists`.
   */
  over?: Pick<WriteOptions, 'ifMatch' | 'keep'>
}

/**
 * Folders that are filled before they become visible. Until it is published a staged folder has no path: no other
 * operation lists, reads or removes it (except the removal of the folder that contains it).
 */
export interface StagedTrees {
  /**
   * Reserves a name for a staged folder, and makes the missing parents of its path. Only `store` makes the folder
   * itself, so that the caller can record the name first.
   * @param amount that it will hold, itself included, if known
   * @returns the handle for the other operations: opaque, stored together with the store's root
   * @throws not_a_folder
   */
  reserve(folder: FilePath, amount?: Amount): Promise<string>

  /**
   * The staged folder as a store, made empty if it is missing; its guard is asked about the final paths.
   * @throws not_found when the folder that contains it is missing
   */
  store(staged: string, folder: FilePath): Promise<StorageDriver>

  /**
   * Publishes the folder with all its content under its path, atomically.
   * @param how `claimed`: an empty folder at the path may be replaced
   * @throws not_found, exists
   */
  publish(staged: string, folder: FilePath, how?: { claimed?: boolean }): Promise<void>

  /**
   * Starts a batch copier from this store into a staged folder. Only where that is cheaper than one by one.
   * @returns `undefined` while too many are open
   * @throws not_found
   */
  batchCopier?(staged: string, folder: FilePath): Promise<BatchCopier | undefined>

  /** Removes a staged folder with all its content; succeeds if it is missing. */
  discard(staged: string): Promise<void>
}

/**
 * A folder's children in an order, for callers that show the first before the last are known. Must be closed, even if
 * it was not read to the end.
 */
export interface SortedFolder {
  /** The folder itself, as `stat` describes it. */
  folder: Entry
  /** Numbers of children that have no head. */
  counted: { folders: number; others: number }
  /** The other children in slices, in no order, available sooner than their entries. */
  heads: Iterable<Head[]>
  /** The children in the order, in batches, the first a short one. Children that have vanished since are left out. */
  entries: AsyncIterable<Entry[]>
  close(): Promise<void>
}

/** What is known of a child before it is stat'ed. */
export type Head = Pick<Entry, 'name' | 'path' | 'canonical' | 'kind'>

export interface OpenFile {
  /** Taken from the opened object itself. */
  readonly entry: Entry
  /**
   * Bytes from `start` to `end`, both included; the whole file without a range. Ends early only with an error: a store
   * that cannot hold open a file replaced while it is read throws `unavailable`, and never returns bytes of the other
   * file.
   */
  stream(range?: ByteRange): Readable
  /**
   * Reads into the caller's buffer from an offset, as many bytes as fit. Only where a store supports it.
   * @returns their number @throws unavailable at the end of the file
   */
  readonly read?: (into: Buffer, position: number) => Promise<number>
  /**
   * Starts passing bytes to a socket without reading them; only where the operating system can.
   * @param socket the descriptor of a plain TCP connection that is open and does not block
   * @returns `undefined` where that is not possible now
   */
  readonly passTo?: (socket: number) => Passing | undefined
  /** For passing the open file to a program; valid until the file is closed. Only where files have descriptors. */
  readonly descriptor?: number
  /**
   * A presigned URL: it gives anyone the content for a while, with these headers. Only where the store issues such
   * URLs.
   */
  address?(headers: Readonly<Record<string, string>>): string
  /**
   * The percent-encoded path by which a reverse proxy serves the content; only where the store is configured with one.
   * The proxy opens the file by its name, and must refuse links on the way.
   */
  readonly place?: string
  /** Idempotent. Streams do not close the file when they end: several may be made in sequence. */
  close(): Promise<void>
}

/** Bytes of an open file on their way to a socket. */
export interface Passing {
  /**
   * Passes bytes from an offset as long as the client takes them at once, and the disk need not be waited for.
   * @returns how many were passed; after fewer than asked for, also 0, the caller writes some in the ordinary way,
   *    which waits, and meets any error
   * @throws unavailable when it is unknown how many were passed
   */
  pass(position: number, count: number): Promise<number>
  /** Idempotent. Waits for a call in progress. */
  close(): Promise<void>
}

export interface ByteRange {
  start: number
  end: number
}
