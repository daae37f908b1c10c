import { type FilePath, joinPath, ROOT } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { KeptAt } from '../storage/driver.ts'
import { carrying } from './carry.ts'
import { type Collision, collisionsBelow } from './conflicts.ts'
import { keptOf } from './kept-store.ts'
import { demandSeen } from './policy.ts'
import { innerEntry } from './restore.ts'
import type { TransferContext } from './transfer.ts'

type Context = Pick<TransferContext, 'store' | 'policy' | 'whole'>

/** The trash of one user; see `Trash`. */
interface Items {
  find(id: string): Promise<Found>
  goalOf(found: Found): Promise<FilePath>
  view(id: string): Promise<{ context: Context }>
}

type Found = { id: string; path: FilePath; at: KeptAt }

/** An item of the trash, or an entry inside it, and the path where it is to go unless that is the one that it had. */
export interface RestoreOrder {
  id: string
  inner?: FilePath
  to?: FilePath
}

/**
 * The conflicts of a restore: at its goal, and recursively where both sides are folders, each folder before its contents.
 * Only entries that rules let the user see, on both sides; only metadata is read.
 * @throws not_found, forbidden
 */
export async function* restoreCollisions(
  context: Context,
  trash: Items,
  { id, inner = ROOT, ...order }: RestoreOrder,
  signal: AbortSignal,
): AsyncGenerator<Collision> {
  const seen = await trash.find(id)
  const to = order.to ?? joinPath(await trash.goalOf(seen), inner)
  demandSeen(context.policy, to, 'create')
  const theirs = await context.store.stat(to)
  if (!theirs) return
  const { context: from } = await trash.view(id)
  const { at } = seen
  const ours = inner === ROOT ? await keptOf(context.store).look(at) : await innerEntry(from.store, { at, inner })
  if (!ours) throw new AppError('not_found')
  yield* collisionsBelow({ from, to: await carrying(context) }, { ours, theirs, to }, signal)
}
