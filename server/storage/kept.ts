import type { FilePath } from '../../shared/path.ts'
import type { Entry } from './entry.ts'

/** Where a kept thing lies. Callers store it, and hand it back as it was. */
export interface KeptAt {
  /** The folder of the served root that holds the area; see docs/design/history.md. */
  home: FilePath
  /** Identity of the area: another one at the same place is another disk. */
  area: string
  /** The thing's name in the area. */
  name: string
  /** A former content of a file; anything else was deleted. */
  kind?: 'version'
}

/** Keeps the content of a file that another one replaces; see docs/design/history.md. */
export interface KeepReplaced {
  /** Makes the kept name unique: letters and digits. */
  id: string
  /** Who replaces it, for the list on the disk. */
  username: string
  /** Bytes that may be copied where the file can get no second name. */
  mayCopy: number
  /**
   * Called before the file gives way, if it can be kept; durable when it settles. A failure fails the publication. Called
   * again when another program replaced the file in the meantime.
   */
  kept(replaced: ReplacedFile): Promise<void>
  /** Called before the file gives way, if it cannot be kept. A failure fails the publication. */
  unkept?(): void
}

/** A file that is about to give way, and is kept. */
export interface ReplacedFile {
  at: KeptAt
  was: Entry
  /** Its path in the served root. */
  place: FilePath
  /** Of what is kept: that of the file itself, unless it was copied. */
  identity: string
  /** Identity of the file that takes its place. */
  made: string
  /** Its modification time in milliseconds, if that is known in advance. */
  modified?: number
}

/** What is written next to a kept item, for people and programs that find it on the disk. */
export interface KeptNote {
  id: string
  username: string
  /** Milliseconds since the epoch. */
  deletedAt: number
}

/** How a thing is copied that no rename can keep. */
export interface CopyAside {
  /** Bytes. */
  mayCopy: number
  /** Called with the identity of the complete copy, before the original is removed; durable when it settles. */
  copied(identity: string): Promise<void>
  signal?: AbortSignal
  /** @param bytes copied since the last call */
  progress?(bytes: number): void
}

/** How a thing is set aside. */
export interface AsideOptions extends CopyAside {
  /** The folder that takes the place of a folder in the same step. */
  instead?: Instead
}

/** A folder that takes the place of another one: a staged one, or one that leaves its path. */
export type Instead = { staged: string } | { from: FilePath }

/** A thing found in an area. */
export interface FoundKept {
  at: KeptAt
  was: Entry
  /** Missing where no note next to the item says it. */
  note: (KeptNote & { place: FilePath }) | undefined
  /** Whether the same file has another name; only of versions. */
  isLinked?: boolean
}

/** An area, and the file system that it is on; sizes in bytes. */
export interface KeptArea extends Pick<KeptAt, 'home' | 'area'> {
  total: number
  free: number
  /** Of a trash can of desktop programs: changes with the names in it. */
  stamp?: string
}

/**
 * Things that were deleted or replaced and are still there, out of reach of every path. Places and homes are paths of the served
 * root; all other paths are relative to the store. A kept thing keeps its identity.
 * @template Store a storage driver
 */
export interface KeptIn<Store> {
  /**
   * What would be kept, and where; the area is made if it is missing. The path of the entry is canonical, and a link is
   * described itself.
   * @param id makes the name unique: letters and digits
   * @throws not_found, no_trash, forbidden (the root, or the guard refuses the path)
   */
  plan(path: FilePath, id: string): Promise<{ at: KeptAt; was: Entry; place: FilePath }>
  /**
   * Takes a thing out of its place by one rename. The guard is asked about every entry of a tree first; without a guard
   * the content is not read. Where a rename leaves the file system, a copy is kept and the original removed. With
   * `instead` the place is never empty: at every instant it has the old folder or the new one, whole.
   * @param planned what `plan` returned
   * @throws changed: `not_found` when another object, or none, is at the path; forbidden, no_trash, unavailable (also
   * when a part of the original changed during the copy, and stays), too_far (larger than what may be copied), unsupported
   * with `instead` (another file system, or one that does not exchange)
   */
  setAside(path: FilePath, planned: { at: KeptAt; was: Entry }, note: KeptNote, how?: AsideOptions): Promise<void>
  /** Whether `setAside` takes `instead`. */
  readonly exchanges?: boolean
  /** Describes a kept thing; `undefined` when the area lacks it. @throws unavailable when the area is not there */
  look(at: KeptAt): Promise<Entry | undefined>
  /**
   * Gives a kept thing a path at which nothing stands. The guard is asked about every entry of a tree: about its path
   * below `to`, and below `as`.
   * @param how `inner`: the path inside the kept thing of the only entry to bring back; `as`: the path the thing had
   * @throws not_found (the thing is gone), exists, forbidden, unavailable (where no rename leads there, a copy arrived, and
   * something changed meanwhile)
   */
  bringBack(at: KeptAt, to: FilePath, how: { inner?: FilePath; as: FilePath }): Promise<void>
  /** Whether `bringBack` can give a thing a path: not one in another root. It can in a store of one root. */
  reaches?(at: KeptAt, to: FilePath): boolean
  /**
   * Completes what a killed process began: afterwards a thing that is in the area is not at its other path, too. Only where
   * that takes more than one step.
   * @param begun which operation its record names
   */
  complete?(at: KeptAt, begun: 'setAside' | 'bringBack'): Promise<void>
  /**
   * The kept thing at the path `/<its name>` of a store to read from, confined to it.
   * @param guard receives paths inside the kept thing
   * @throws not_found, unavailable
   */
  open(at: KeptAt, guard: (inner: FilePath) => boolean): Promise<Store>
  /**
   * Moves a kept thing, with its note, to another area of its file system.
   * @throws not_found, unavailable, unsupported (another file system)
   */
  moveTo(at: KeptAt, to: Pick<KeptAt, 'home' | 'area'>): Promise<KeptAt>
  /** Takes a kept thing out of reach for good; `clear` frees its space. Idempotent. @throws unavailable */
  drop(at: KeptAt): Promise<void>
  /** Removes what was dropped in an area, and old notes of things that are gone. @throws unavailable */
  clear(area: Pick<KeptAt, 'home' | 'area'>): Promise<void>
  /** The number of things that were dropped in an area and not removed yet. Only where that takes time. */
  leaving?(area: Pick<KeptAt, 'home' | 'area'>): Promise<number>
  /** The things in an area. @throws unavailable */
  find(area: Pick<KeptAt, 'home' | 'area'>): AsyncIterable<FoundKept>
  /** The area in a folder of the served root, if there is one. */
  area(home: FilePath): Promise<KeptArea | undefined>
  /**
   * The trash cans in which desktop programs keep what they delete for this account, where disks are mounted. Things in
   * them have no id in their note unless they were set aside here.
   */
  cans?(): Promise<KeptArea[]>
  /**
   * Days after which the store itself removes what is kept; nothing where it does not. Only where stores have such rules.
   */
  forgetsAfter?(): Promise<number | undefined>
  /** Real paths of areas that are not safe to use: a link is in their place, or another account may write to them. */
  unsafe?(): Promise<string[]>
  /** Areas that may exist without being recorded: in the served root, and where other disks are mounted in it. */
  likelyHomes(): readonly FilePath[]
  /** Paths of this machine below the store that commands must not see. */
  hiddenPaths(): Promise<readonly string[]>
}
