import type { ConflictChoice } from '../../shared/conflicts.ts'
import { type FilePath, isWithin, parentOf, ROOT } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import { sameContent } from './compare-content.ts'
import { type Choose, freeName } from './free-name.ts'
import type { Policy } from './policy.ts'
import type { Again } from './recheck-access.ts'

export interface TransferRequest {
  /** Replace what stands at the destination; needs modify. Folders merge. */
  override: boolean
  /** Choose a free name beside what stands there: `name(1).ext`. Wins over `override`. */
  rename: boolean
  /** Decides by path instead of the two above; without a choice what stands there is `exists`. */
  choose?: (path: FilePath) => ConflictChoice | undefined
  /** Whether a file at a path is the one that the choice was made about; another one is `exists`. */
  meant?: (path: FilePath, standing: Entry) => boolean
  signal?: AbortSignal
  /** Told of what has been done since: bytes written, entries finished. */
  progress?: (done: Done) => void
  /** For a transfer that goes on after a crash. */
  journal?: Journal
}

export interface Done {
  bytes?: number
  entries?: number
}

/** What a transfer wrote down before it acted. */
export interface TransferNote {
  goal: FilePath
  /** Whether nothing stood there then. */
  fresh: boolean
  /** Of the source. */
  identity: string
  size: number
  modified: number
  /** The folder in which a copy is being made. */
  staged?: string
  /** Its identity, which the goal has once it is published; without `staged` that of the goal, which shows as it fills. */
  made?: string
  /** Whether everything that can be is in it, where it shows as it fills. */
  filled?: true
}

/** Where a transfer writes down what it is about to do, so that it is not done twice. */
export interface Journal {
  /** Of an earlier attempt. */
  noted: TransferNote | undefined
  /** Durable when it settles. */
  note(now: TransferNote): Promise<void>
}

/** What a transfer works on. */
export interface TransferGround {
  store: StorageDriver
  policy: Policy
  /** The scope without its guard, to find out whether a tree holds something denied, and to guard it otherwise. */
  whole(): Promise<StorageDriver>
  /** Asked before something gets its place: a copy of much takes long. */
  again: Again
  /** Takes names for what the transfer makes, until it ends. */
  choose: Choose
  /** Told of each file that gave way to another. */
  replaced(path: FilePath): void
}

/** A transfer that is ready to begin. */
export interface Transfer {
  source: Entry
  goal: FilePath
  /** What is there already: it gives way, or folders merge. */
  standing: Entry | undefined
}

/**
 * Settles where a transfer goes, in the order of http-api 3.5: names, root, into itself, what stands there,
 * permissions.
 * @returns nothing when it is skipped, as was chosen
 * @throws forbidden, not_found, bad_request (`source is parent`), exists
 */
export async function settle(
  ground: TransferGround,
  from: FilePath,
  to: FilePath,
  how: TransferRequest,
): Promise<Transfer | undefined> {
  demandPlaces(ground.policy, from, to)
  const source = await ground.store.stat(from)
  if (!source) throw new AppError('not_found')
  await demandOutside(ground.store, source, to)
  return settleConflict(ground, source, to, how)
}

/** A link on the way may lead into the folder that is to go there. @throws bad_request (`source is parent`) */
async function demandOutside(store: StorageDriver, source: Entry, to: FilePath): Promise<void> {
  if (!isOwnFolder(source)) return
  const folder = await store.stat(parentOf(to))
  if (folder && isWithin(folder.canonical, source.canonical)) throw intoItself()
}

const intoItself = () => new AppError('bad_request', 'source is parent')

/** @throws forbidden, bad_request (`source is parent`) */
export function demandPlaces(policy: Policy, from: FilePath, to: FilePath): void {
  if (!policy.sees(from) || !policy.sees(to)) throw new AppError('forbidden')
  if (from === ROOT || to === ROOT) throw new AppError('forbidden')
  if (from !== to && isWithin(to, from)) throw intoItself()
}

/** Decides about one thing on its way by what stands there. @returns nothing when it is skipped @throws exists, forbidden */
export async function settleConflict(
  ground: TransferGround,
  source: Entry,
  to: FilePath,
  how: TransferRequest,
): Promise<Transfer | undefined> {
  const { store, policy } = ground
  const choice = choiceOf(how, to)
  if (choice === 'keepBoth') return { source, goal: await freeName(ground, to), standing: undefined }
  const standing = await store.stat(to)
  if (!standing) return { source, goal: to, standing }
  if (choice === 'skip') return undefined
  if (choice === undefined || source.path === to || isSameObject(source, standing)) throw new AppError('exists')
  policy.demand('replace')
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

/** A folder, and no link to one. */
const isOwnFolder = ({ kind, isLink }: Entry) => kind === 'folder' && !isLink

/** Whether one would go into the other. What a link leads to is not meant where the link is in the way. */
export const isMerge = (ours: Entry, theirs: Entry): boolean => isOwnFolder(ours) && isOwnFolder(theirs)

/** Two names of one file: copying one over the other would have nothing left to copy. */
const isSameObject = (a: Entry, b: Entry) =>
  a.canonical === b.canonical || (a.kind === 'file' && a.version === b.version)
