import type { Readable } from 'node:stream'
import type { FilePath } from '../../shared/path.ts'
import type { Sorting } from '../../shared/sorting.ts'
import type { AppendOptions, ContentCheck } from './appending.ts'
import type { TreeFiller } from './batch-copy.ts'
import type { ReaderTogether } from './batch-read.ts'
import type { Entry } from './entry.ts'
import type { Usage } from './folder-size.ts'
import type { SystemRights } from './rights.ts'
import type { KnownNames, NamesMet } from './search-index.ts'

export type { AppendOptions, ContentCheck } from './appending.ts'
export { type CopyOrder, LARGEST_TOGETHER, type TreeFiller } from './batch-copy.ts'
export type { ReaderTogether, ReadFile, ReadOrder } from './batch-read.ts'
export type { SpareFile, SpareFiles } from './cache-store.ts'
export type { Entry } from './entry.ts'
export type { KnownSizes, KnownSum, SizedName, Usage } from './folder-size.ts'
export type { Account, SystemRights } from './rights.ts'
export type { FoundEntry, FoundTexts, KnownNames, KnownTexts, NamesMet, WantedTexts } from './search-index.ts'

/**
 * A place where files are kept: a folder on disk, a bucket, memory. Paths are relative to the driver's own root and
 * already parsed. Names are bytes: one that is not UTF-8 is told, and taken, as `shared/bytes.ts` carries it. A driver knows nothing of users, permissions or HTTP; `Files` is its only caller.
 *
 * Every operation acts on what it opened, never on a name it looked at before. Links are followed while they stay below
 * the root; a driver may be told to follow others, too, and what is behind such a link then counts as lying there. Before an operation touches anything it asks the driver's guard (see `within`) about the *canonical* path
 * of the thing: for a link that is its target, for a new file its folder's real place plus the new name.
 *
 * Duties shared by all operations — each throws an `AppError`:
 * - `forbidden` when the guard refuses the canonical path
 * - `outside_scope` when a link on the way leads out of the root (or nowhere, where following it is needed)
 * - `special_file` for a FIFO, socket or device, without opening it
 * - `no_space`, `read_only`, `unavailable` as the store reports them; `server_refused` when the operating system does not
 *   let this process do it
 * No foreign error (`ENOENT`, …) leaves a driver.
 */
export interface StorageDriver {
  /**
   * What stands at the path, links followed; `undefined` when nothing does (also below a regular file). A link that
   * cannot be followed inside the root answers `kind: 'link'` with the link's own data.
   */
  stat(path: FilePath): Promise<Entry | undefined>

  /**
   * The children of a folder in batches, in no order unless `listsInOrder`. Special files are listed as `special`, links as their targets
   * (see `stat`), staging files never. A child that vanishes or cannot be read meanwhile is left out.
   * @throws not_found, not_a_folder
   */
  list(folder: FilePath): AsyncIterable<Entry[]>
  /** Set where `list` tells them in the order of their names, as `<` has it, without gathering all of them first. */
  readonly listsInOrder?: true

  /**
   * The same children in an order; see `SortedFolder`. Left out by a store that has to list everything for it.
   * @param each whether each child is to be among the heads; else they may be counted only
   * @throws not_found, not_a_folder
   */
  sorted?(folder: FilePath, sorting: Sorting, each: boolean): Promise<SortedFolder>

  /**
   * Opens a file for reading. The caller must `close()` it when the streams made from it are done.
   * @throws not_found, is_a_folder
   */
  read(file: FilePath): Promise<OpenFile>
  /** Begins to read many small files. Only where that is cheaper than one by one; nothing while too many are at it. */
  readTogether?(): ReaderTogether | undefined

  /**
   * Writes a whole file, all or nothing: until the answer the old content (or absence) is what everybody sees, after it
   * the new content is durable. A failed or aborted write leaves no trace. Missing parent folders are made.
   * @throws exists (`ifAbsent`), precondition_failed (`ifMatch`), is_a_folder, not_a_folder (a parent is a file),
   *   incomplete_body, body_too_large (`length`)
   */
  write(file: FilePath, body: Readable, how: WriteOptions): Promise<Entry>

  /**
   * Makes a folder and its missing parents; an existing folder is fine.
   * @throws exists when something else stands there, not_a_folder when a parent is a file
   */
  mkdir(folder: FilePath): Promise<void>

  /**
   * Removes a file, a link (never its target) or a whole tree. The guard is asked for every entry of a tree before
   * anything is removed. The root itself is refused with `forbidden`. One that is aborted leaves what it has not come to.
   * @throws not_found
   */
  remove(path: FilePath, how?: RemoveOptions): Promise<void>

  /**
   * The same store with `folder` as its root, confined to it: no path and no link leads out of it. `guard` is asked
   * with canonical paths relative to that new root. Of the root itself nothing need be looked up: what is done in it then
   * throws that it is gone.
   * @throws not_found, not_a_folder
   */
  within(folder: FilePath, guard?: PathGuard): Promise<StorageDriver>

  /**
   * Gives a folder permission bits, but takes none from the owner, who has to fill and remove it. Only where folders have
   * such bits. @throws not_found, not_a_folder
   */
  setMode?(folder: FilePath, mode: number): Promise<void>
  /** What the operating system lets this process do with a thing, links followed; for explanations. @throws not_found */
  rights?(path: FilePath): Promise<SystemRights>
  /** Only if cheaper than copy and remove. Replaces nothing. @throws not_found, exists */
  move?(from: FilePath, to: FilePath, how?: MoveOptions): Promise<void>
  /**
   * Set where `move` copies each thing before it removes the source, which takes time. One that broke off leaves the same
   * object in both places, and moving it once more goes on with it.
   */
  readonly movesByCopy?: true
  /** Only if cheaper than read and write: of one file, all or nothing. Its time stays, unless told. @throws as `read` and `write` */
  copy?(from: FilePath, to: FilePath, how: WriteOptions): Promise<Entry>
  /** How full the store is that holds the folder. @throws not_found */
  usage?(folder: FilePath): Promise<Usage>
  /**
   * The real path, only where one exists. For commands and hooks, never for answers.
   * @throws unsupported for one that is not UTF-8: Node hands nothing else to programs
   */
  localPath?(path: FilePath): string
  /** Set where an open file has a descriptor, so that it can be handed to a program. */
  readonly handsOver?: true
  /** Holds the root open, only where there is a real folder. For the sandbox of commands and hooks. @throws not_found */
  holdRoot?(): Promise<HeldRoot>
  /**
   * Tells of changes of a folder's list of names, and where the store can of what is in its files, by whomever; also of
   * changes that turn out to be none. Only where a store can know.
   * @returns ends it
   * @throws not_found, not_a_folder
   */
  watch?(folder: FilePath, tell: () => void): Promise<() => void>
  /** Only where the store keeps an index of names. */
  names?: KnownNames
  /**
   * Names below a folder by looking into each folder now, and at nothing else: no sizes are told. What is found, and its
   * order, is as `KnownNames.find` has it. Only where that is cheaper than listing each folder.
   * @throws not_found, not_a_folder
   */
  seek?(folder: FilePath, words: readonly string[]): AsyncIterable<NamesMet>
  /** Only where unfinished files can wait for the rest of their content, also across restarts. */
  staging?: Staging
  /** Only where unfinished folders can wait until everything is in them, also across restarts. */
  trees?: StagedTrees
  /**
   * Only where a process that is killed leaves unfinished things behind. Removes them from one place; nothing else, and
   * nothing that is being made by this process.
   * @param place as the store told of it when something was begun there
   * @returns how many have to stay
   */
  sweep?(place: string, how: SweepOptions): Promise<number>
  /**
   * Removes a folder that a killed process made for a file which never came: only if it holds nothing, and only if it
   * was made at that time, so that nobody's own folder of the same name goes.
   * @param folder as the store told of it
   * @param madeAt milliseconds since the epoch
   */
  sweepFolder?(folder: string, madeAt: number): Promise<void>
}

/** The root of a store, held open. */
export interface HeldRoot {
  /** `undefined` where the system holds nothing open, but knows it by its name only. */
  descriptor: number | undefined
  close(): void
}

export interface SweepOptions {
  /** Milliseconds since the epoch; what was changed after it stays. */
  before: number
  /** Whether somebody will come back for the unfinished thing of this name. */
  isAwaited(name: string): boolean
}

export interface RemoveOptions {
  signal?: AbortSignal
  /** Told of things that are gone: how many more. */
  removed?: (count: number) => void
}

export interface MoveOptions {
  /** Ends a move that copies; what it has copied is taken back. */
  signal?: AbortSignal
  /** Told of what has been copied since. */
  moved?: (done: { entries: number; bytes?: number }) => void
}

/**
 * Files that arrive in pieces. Until it is published an unfinished file has no path: nothing lists, reads or removes it
 * except these operations (and the removal of the folder it waits in).
 */
export interface Staging {
  /**
   * Makes an empty unfinished file for a path; folders are not made yet. The guard is asked about the path.
   * @returns what the others take; opaque, to be kept with the store's root
   * @throws not_a_folder, is_a_folder
   */
  open(file: FilePath): Promise<string>

  /**
   * Adds a body after the first `at` bytes; what lay behind them is thrown away. If the body breaks off, what came of it
   * is kept, or with a `check` what that knows to be right; if it is too large, nothing is.
   * @throws not_found, unavailable (fewer than `at` bytes are there), incomplete_body, body_too_large
   */
  append(staged: string, at: number, body: Readable, how: AppendOptions): Promise<void>

  /**
   * Gives the file its path and missing parent folders; conditions as for `write`. A file that could not be published
   * goes on waiting.
   * @throws not_found, incomplete_body (not `length` bytes are there) and what `write` and `check` throw
   */
  publish(staged: string, file: FilePath, how: PublishOptions): Promise<Entry>

  /** Removes an unfinished file, and nothing else; one that is gone already is fine. */
  discard(staged: string): Promise<void>
}

/**
 * Folders that are filled before anybody sees them. Until it is published an unfinished folder has no path: nothing
 * lists, reads or removes it except these operations (and the removal of the folder it waits in).
 */
export interface StagedTrees {
  /**
   * Finds a name for an unfinished folder, and makes the missing parents of its path. Only `store` makes the folder, so
   * that its name can be noted before.
   * @returns what the others take; opaque, to be kept with the store's root
   * @throws not_a_folder
   */
  reserve(folder: FilePath): Promise<string>

  /**
   * The unfinished folder as a store, made empty if it is missing; its guard is asked about the paths things will have.
   * @throws not_found when the folder it waits in is gone
   */
  store(staged: string, folder: FilePath): Promise<StorageDriver>

  /**
   * Gives the folder its path, with all that is in it, in one step.
   * @param how `claimed`: an empty folder that stands there may give way
   * @throws not_found, exists
   */
  publish(staged: string, folder: FilePath, how?: { claimed?: boolean }): Promise<void>

  /**
   * Begins to copy many files of this store into an unfinished folder. Only where that is cheaper than one by one.
   * @returns nothing while too many are at it
   * @throws not_found
   */
  filler?(staged: string, folder: FilePath): Promise<TreeFiller | undefined>

  /** Removes an unfinished folder with all that is in it; one that is gone already is fine. */
  discard(staged: string): Promise<void>
}

export interface PublishOptions extends Omit<WriteOptions, 'signal'> {
  length: number
  /** Sees the whole file before it is published, and refuses it by throwing at the end. */
  check?: ContentCheck
}

/** Says whether a canonical path may be used at all (rules, hidden files). Must be quick and free of side effects. */
export type PathGuard = (canonical: FilePath) => boolean

/**
 * A folder's children in an order, for those who show the first before the last are known. To be closed, whether or not
 * everything was taken.
 */
export interface SortedFolder {
  /** The folder itself, as `stat` tells it. */
  folder: Entry
  /** How many children there are of which nothing else is told before their entry. */
  counted: { folders: number; others: number }
  /** The other children in slices, in no order; looked at less closely than entries, and sooner there. */
  heads: Iterable<Head[]>
  /** The children in the order, in batches, the first a short one. What has vanished since is left out. */
  entries: AsyncIterable<Entry[]>
  close(): Promise<void>
}

/** What can be told of a child without looking at it closely. */
export type Head = Pick<Entry, 'name' | 'path' | 'canonical' | 'kind'>

export interface OpenFile {
  /** Taken from the opened object itself. */
  readonly entry: Entry
  /**
   * Bytes from `start` to `end`, both included; the whole file without a range. Ends early only with an error: where a
   * store cannot hold open what was replaced meanwhile, that is `unavailable`, and never bytes of the other file.
   */
  stream(range?: ByteRange): Readable
  /**
   * Bytes from an offset on into the caller's own memory, as many as fit: their number. Only where a store reads so.
   * @throws unavailable when there are none any more
   */
  readonly read?: (into: Buffer, position: number) => Promise<number>
  /** For a program that is handed the file itself; only where a file has such a thing, and until it is closed. */
  readonly descriptor?: number
  /** Where anybody can get the content for a while, with these headers; only where a store gives out such addresses. */
  address?(headers: Readonly<Record<string, string>>): string
  /**
   * Where a proxy finds the content by itself, percent-encoded; only where the store was told of one. It opens the file
   * anew, by its name, and has to refuse links on the way.
   */
  readonly place?: string
  /** Idempotent. Streams do not close the file by ending: several may be made, one after the other. */
  close(): Promise<void>
}

export interface ByteRange {
  start: number
  end: number
}

export interface WriteOptions {
  /** Aborts the write and clears up. */
  signal?: AbortSignal
  /** Bytes announced; fewer is `incomplete_body`, more is `body_too_large`. */
  length?: number
  /** Publish only if nothing stands there. Decided at the moment of publishing, atomically. */
  ifAbsent?: boolean
  /** Publish only if the `version` of what stands there is this one; `*` takes any, but something must stand there. */
  ifMatch?: string
  /** POSIX permission bits for a new file; a file that is replaced keeps its own. */
  mode?: number
  /** Modification time to set, in milliseconds since the epoch. */
  modified?: number
  /**
   * Wraps the deciding moment — conditions checked, name published — so that the caller can make it exclusive among
   * all writers of the file. Called once, after the body has arrived; the time of the body is not under any lock.
   */
  publish?: (act: () => Promise<Entry>) => Promise<Entry>
}
