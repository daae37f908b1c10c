import type { ConflictChoice } from '../../shared/conflicts.ts'
import { type FilePath, isWithin, parentOf, ROOT } from '../../shared/path.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { Entry, Instead, StorageDriver } from '../storage/driver.ts'
import type { RecheckAccess } from './changes.ts'
import { sameContent } from './compare-content.ts'
import { freeName, type ReserveName } from './free-name.ts'
import type { LockFurther } from './further-locks.ts'
import type { Touch } from './lock-rules.ts'
import type { Policy } from './policy.ts'
import type { Properties } from './properties.ts'
import type { Recorder } from './recorder.ts'
import type { SharedNames } from './shared-places.ts'
import type { Versions } from './versions.ts'

export interface TransferRequest {
  /** Replace an existing entry at the destination; needs modify. Folders merge. */
  override: boolean
  /** Choose a free name if the path exists: `name(1).ext`. Takes precedence over `override`. */
  rename: boolean
  /** Decides by path instead of the two above; without a choice an existing entry is `exists`. */
  choose?: (path: FilePath) => ConflictChoice | undefined
  /** Whether an existing file is the one that the choice was made about; any other is `exists`. */
  meant?: (path: FilePath, standing: Entry) => boolean
  /** Reads each copy again and compares it with its source, before a source is removed; the rest is as without it. */
  verify?: boolean
  signal?: AbortSignal
  /** Called with the progress since the last call: bytes written, entries finished. */
  progress?: (done: Done) => void
  /** Called for each entry of a tree that cannot be copied or moved; the first failure is thrown at the end all the same. */
  failed?: (path: FilePath, code: ErrorCode) => void
  /** Called for each file whose content was replaced; see `Written.kept`. */
  kept?: (kept: string) => void
  /** For a transfer that is resumed after a crash. */
  journal?: Journal
  /** The folder at the goal, which gives way; for a folder. */
  over?: GivesWay
  /** Moves by renames only: `unsupported` where contents would be copied. */
  byName?: boolean
}

/** A folder that gives way to another one, as late as it can. */
export interface GivesWay {
  /**
   * Lets the other folder take its place in one step.
   * @returns whether it did; otherwise the folder has its path still, unless a quota needed its room
   */
  takenBy(instead: Instead): Promise<boolean>
  /** Lets it leave its path before the other one comes; idempotent. */
  now(): Promise<void>
  /** Whether it has left its path. */
  readonly isAway: boolean
  /** Whether another folder on its disk can take its place in one step. */
  readonly exchanges: boolean
}

export interface Done {
  bytes?: number
  entries?: number
}

/** What a transfer recorded before it acted. */
export interface TransferNote {
  goal: FilePath
  /** Whether the path was free then. */
  fresh: boolean
  /** The identity of the file that stood there. */
  over?: string
  /** The identity of another item that stood there, and gives way as a whole. */
  way?: string
  /** Of the source. */
  identity: string
  size: number
  modified: number
  /** The staging folder of the copy. */
  staged?: string
  /**
   * Its identity, which the goal has once it is published; without `staged` that of the goal, which is visible while it
   * is filled.
   */
  made?: string
  /** Whether the copy is complete, where it is visible while it is filled. */
  filled?: true
}

/** Where a transfer records what it is about to do, so that it is not done twice. */
export interface Journal {
  /** Of an earlier attempt. */
  noted: TransferNote | undefined
  /** Durable when it settles. */
  note(now: TransferNote): Promise<void>
}

/** The context of a transfer. */
export interface TransferContext {
  store: StorageDriver
  policy: Policy
  /** The scope without its guard, to test whether a tree contains denied entries, and to guard it otherwise. */
  whole(): Promise<StorageDriver>
  /** Of the whole served root, if there is one. */
  index?: SearchIndex | undefined
  /** The index of the texts of another root, if there can be one. */
  indexOf?: ((root: string) => Promise<SearchIndex | undefined>) | undefined
  /** The paths of the folders of other roots. */
  tops?: readonly FilePath[] | undefined
  /** Called before an entry is published: a large copy takes long. */
  recheck: RecheckAccess
  /** Reserves names for what the transfer creates, until it ends. */
  reserve: ReserveName
  /** Keeps the contents that it replaces. */
  versions?: Versions
  /** Keeps what programs set on what it copies and moves. */
  properties?: Properties
  /** Called for each file that was replaced. */
  replaced(path: FilePath): void
  /** Notes each change. */
  record: Recorder
  /** What others share with the user; only where they share anything. */
  sharedNames?: SharedNames | undefined
  /** Refuses to change a path that another has locked. @throws locked */
  demandFree(path: FilePath, touch: Touch): Promise<void>
  /** Locks what is in the folders that it merges. */
  lockFurther: LockFurther
}

/** What does not depend on the single operation. */
export type OperationContext = Omit<TransferContext, 'reserve' | 'lockFurther'>

/** The part of it that does not depend on the operation. */
export type ScopeContext = Omit<
  TransferContext,
  'recheck' | 'replaced' | 'reserve' | 'record' | 'demandFree' | 'lockFurther'
>

/** A transfer that is ready to begin. */
export interface Transfer {
  source: Entry
  goal: FilePath
  /** The existing entry: it is replaced, or folders merge. */
  standing: Entry | undefined
}

/**
 * Determines the goal of a transfer, in the order of http-api 3.5: names, root, into itself, existing entries,
 * permissions.
 * @returns `undefined` when it is skipped by choice
 * @throws forbidden, not_found, bad_request (`source is parent`), exists
 */
export async function settle(
  context: TransferContext,
  from: FilePath,
  to: FilePath,
  how: TransferRequest,
): Promise<Transfer | undefined> {
  demandPlaces(context.policy, from, to)
  const source = await context.store.stat(from)
  if (!source) throw new AppError('not_found')
  await demandOutside(context.store, source, to)
  return settleConflict(context, source, to, how)
}

/** A symbolic link on the path may lead into the folder being copied. @throws bad_request (`source is parent`) */
async function demandOutside(store: StorageDriver, source: Entry, to: FilePath): Promise<void> {
  if (!isOwnFolder(source)) return
  const folder = await store.stat(parentOf(to))
  // One folder may have a path in several places of a user.
  const at = (canonical: FilePath) => store.placeInRoot?.(canonical) ?? canonical
  if (folder && isWithin(at(folder.canonical), at(source.canonical))) throw intoItself()
}

const intoItself = () => new AppError('bad_request', 'source is parent')

/** @throws forbidden, bad_request (`source is parent`) */
export function demandPlaces(policy: Policy, from: FilePath, to: FilePath): void {
  if (!policy.sees(from) || !policy.sees(to)) throw new AppError('forbidden')
  if (from === ROOT || to === ROOT) throw new AppError('forbidden')
  if (from !== to && isWithin(to, from)) throw intoItself()
}

/**
 * Decides about one entry with an existing one at its goal. @returns `undefined` when it is skipped @throws exists,
 * forbidden
 */
export async function settleConflict(
  context: TransferContext,
  source: Entry,
  to: FilePath,
  how: TransferRequest,
): Promise<Transfer | undefined> {
  const { store, policy } = context
  const choice = choiceOf(how, to)
  if (choice === 'keepBoth') return { source, goal: await freeName(context, to), standing: undefined }
  const standing = how.over ? undefined : await store.stat(to)
  if (!standing) return { source, goal: to, standing }
  if (choice === 'skip') return undefined
  if (choice === undefined || source.path === to || isSameObject(source, standing)) throw new AppError('exists')
  policy.demand('replace', to)
  if (isMerge(source, standing)) return { source, goal: to, standing }
  if (source.kind === 'folder' || standing.kind === 'folder') throw new AppError('exists')
  if (how.meant?.(to, standing) === false) throw new AppError('exists')
  if (choice === 'replaceOlder' && source.modified <= standing.modified) return undefined
  if (choice === 'skipIdentical' && (await sameContent(store, source, standing))) return undefined
  return { source, goal: to, standing }
}

function choiceOf({ override, rename, choose }: TransferRequest, path: FilePath): ConflictChoice | undefined {
  if (choose) return choose(path)
  if (rename) return 'keepBoth'
  return override ? 'replace' : undefined
}

/** A folder, not a link to one. */
const isOwnFolder = ({ kind, isLink }: Entry) => kind === 'folder' && !isLink

/** Whether one would merge into the other. A link is a conflict itself; its target does not matter. */
export const isMerge = (ours: Entry, theirs: Entry): boolean => isOwnFolder(ours) && isOwnFolder(theirs)

/** Two names of one file: replacing one by the other would destroy the only copy. */
const isSameObject = (a: Entry, b: Entry) =>
  a.canonical === b.canonical || (a.kind === 'file' && a.version === b.version)
