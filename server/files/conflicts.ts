import { type FilePath, trustedChild } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Entry } from '../storage/driver.ts'
import { carrying } from './carry.ts'
import { childrenOf } from './copy.ts'
import { demandPlaces, isMerge, type TransferContext } from './transfer.ts'

/** An entry to copy or move, and the existing entry at its goal. */
export interface Collision {
  ours: Entry
  theirs: Entry
  to: FilePath
}

/**
 * The conflicts of a copy or a move: at its goal, and recursively where both sides are folders, each folder before its
 * contents. Only entries that rules let the user see, on both sides; only metadata is read.
 * @throws forbidden, not_found, bad_request (`source is parent`)
 */
export async function* collisionsOf(
  context: Pick<TransferContext, 'store' | 'policy' | 'whole'>,
  from: FilePath,
  to: FilePath,
  signal: AbortSignal,
): AsyncGenerator<Collision> {
  demandPlaces(context.policy, from, to)
  const ours = await context.store.stat(from)
  if (!ours) throw new AppError('not_found')
  const theirs = await context.store.stat(to)
  const along = await carrying(context)
  if (theirs) yield* collisionsBelow({ from: along, to: along }, { ours, theirs, to }, signal)
}

/** Where the entries of a collision are. */
export interface Sides {
  from: Pick<TransferContext, 'store' | 'policy'>
  to: Pick<TransferContext, 'store' | 'policy'>
}

/** A collision, and those of the contents where both are folders. */
export async function* collisionsBelow(sides: Sides, first: Collision, signal: AbortSignal): AsyncGenerator<Collision> {
  const pending = [first]
  for (let found = pending.pop(); found; found = pending.pop()) {
    signal.throwIfAborted()
    yield found
    if (!isMerge(found.ours, found.theirs)) continue
    for (const inside of await collisionsIn(sides, found)) pending.push(inside)
  }
}

/** Names that occur in both folders, in reverse order. */
async function collisionsIn(sides: Sides, { ours, theirs, to }: Collision): Promise<Collision[]> {
  if (sides.from === sides.to && ours.canonical === theirs.canonical) return []
  const standing = new Map((await childrenOf(sides.to, theirs.path)).map(entry => [entry.name, entry]))
  const found = (await childrenOf(sides.from, ours.path)).flatMap(child => {
    const other = standing.get(child.name)
    return other ? [{ ours: child, theirs: other, to: trustedChild(to, child.name) }] : []
  })
  return found.sort((a, b) => (a.to < b.to ? 1 : -1))
}
