import { type FilePath, trustedChild } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Entry } from '../storage/driver.ts'
import { carrying } from './carry.ts'
import { childrenOf } from './copy.ts'
import { demandPlaces, isMerge, type TransferGround } from './transfer.ts'

/** Something on its way, and what stands where it would go. */
export interface Collision {
  ours: Entry
  theirs: Entry
  to: FilePath
}

/**
 * What a copy or a move would meet: at its goal, and where a folder meets a folder also in both, each folder before what
 * is in it. Only what rules let the user see, on both sides; nothing is read but names.
 * @throws forbidden, not_found, bad_request (`source is parent`)
 */
export async function* collisionsOf(
  ground: Pick<TransferGround, 'store' | 'policy' | 'whole'>,
  from: FilePath,
  to: FilePath,
  signal: AbortSignal,
): AsyncGenerator<Collision> {
  demandPlaces(ground.policy, from, to)
  const ours = await ground.store.stat(from)
  if (!ours) throw new AppError('not_found')
  const theirs = await ground.store.stat(to)
  const along = await carrying(ground)
  const pending: Collision[] = theirs ? [{ ours, theirs, to }] : []
  for (let met = pending.pop(); met; met = pending.pop()) {
    signal.throwIfAborted()
    yield met
    if (!isMerge(met.ours, met.theirs)) continue
    for (const inside of await collisionsIn(along, met)) pending.push(inside)
  }
}

/** Names that two folders have in common, the last of them first. */
async function collisionsIn(
  ground: Pick<TransferGround, 'store' | 'policy'>,
  { ours, theirs, to }: Collision,
): Promise<Collision[]> {
  if (ours.canonical === theirs.canonical) return []
  const standing = new Map((await childrenOf(ground, theirs.path)).map(entry => [entry.name, entry]))
  const met = (await childrenOf(ground, ours.path)).flatMap(child => {
    const other = standing.get(child.name)
    return other ? [{ ours: child, theirs: other, to: trustedChild(to, child.name) }] : []
  })
  return met.sort((a, b) => (a.to < b.to ? 1 : -1))
}
