import type { FilePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import { carrying } from './carry.ts'
import { looksSame } from './compare-content.ts'
import { childrenOf, noteOf } from './copy.ts'
import {
  demandPlaces,
  settle,
  type Transfer,
  type TransferContext,
  type TransferNote,
  type TransferRequest,
} from './transfer.ts'

/** A transfer that can begin, or whose copy an earlier attempt has completed. */
export type Begun = Transfer & { arrived: boolean }

/**
 * Settles and records a transfer, or determines the progress of an earlier attempt.
 * @returns `undefined` when it is skipped, and when nothing is left to do
 * @throws see `settle`
 */
export async function begin(
  context: TransferContext,
  from: FilePath,
  to: FilePath,
  how: TransferRequest,
): Promise<Begun | { goal: FilePath; source?: never } | undefined> {
  const noted = how.journal?.noted
  if (noted) return resume(context, from, noted, how)
  const settled = await settle(context, from, to, how)
  if (settled) await how.journal?.note(noteOf(settled))
  return settled && { ...settled, arrived: false }
}

async function resume(context: TransferContext, from: FilePath, noted: TransferNote, how: TransferRequest) {
  const { store, policy } = context
  const { goal } = noted
  demandPlaces(policy, from, goal)
  // A folder that gives way still has its path.
  const [source, there] = [await store.stat(from), how.over ? undefined : await store.stat(goal)]
  const arrived = there !== undefined && isOurs(there, noted, source)
  // Nothing is left at the old path; another object that has come there meanwhile is not what remains of a copy.
  if (arrived && source?.identity !== noted.identity) return { goal }
  if (source && there && isFilling(there, noted)) return { source, goal, standing: undefined, arrived: false }
  if (!source) {
    if (there?.kind === 'folder') return { goal }
    throw new AppError('not_found')
  }
  if (arrived) return { source, goal, standing: undefined, arrived }
  if (there && noted.fresh) {
    if (!(await isEmptyFolder(context, there))) throw new AppError('exists')
    return { source, goal, standing: noted.staged === undefined ? there : undefined, arrived: false }
  }
  if (there && source.kind !== there.kind) throw new AppError('exists')
  if (there) policy.demand('replace', goal)
  how.signal?.throwIfAborted()
  return { source, goal, standing: there, arrived: false }
}

/** Whether the earlier attempt created the entry at the goal. */
function isOurs(there: Entry, noted: TransferNote, source: Entry | undefined): boolean {
  if (there.identity === noted.identity || there.identity === noted.made) return true
  if (there.kind !== 'file' || !looksSame(there, noted)) return false
  const isReplaced = noted.over !== undefined && there.identity !== noted.over
  return noted.fresh || isReplaced || source === undefined
}

/** Removes the copy of a folder that will not be resumed; a finished one stays. */
export async function discardCopy(store: StorageDriver, noted: Partial<TransferNote>): Promise<void> {
  const { staged, goal } = noted
  if (staged !== undefined) return store.trees?.discard(staged)
  const there = goal === undefined ? undefined : await store.stat(goal)
  if (there && isFilling(there, noted)) await store.remove(there.path)
}

/** Whether this is an unfinished copy that is visible while it is filled. */
const isFilling = ({ identity }: Entry, { staged, made, filled }: Partial<TransferNote>): boolean =>
  staged === undefined && made === identity && !filled

async function isEmptyFolder(context: TransferContext, { kind, path }: Entry): Promise<boolean> {
  return kind === 'folder' && (await childrenOf(await carrying(context), path)).length === 0
}
