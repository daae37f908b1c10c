import type { RestoredEntry, SnapshotRestore } from '../../../shared/api/snapshots.ts'
import { type FilePath, joinPath } from '../../../shared/path.ts'
import { AppError, asAppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { Entry } from '../../files/types.ts'

type Conflict = NonNullable<SnapshotRestore['conflict']>

export interface RestoreOrder {
  from: FilePath
  to: FilePath
  conflict: Conflict
  signal: AbortSignal
}

/**
 * Copies a file, or a folder with its content, from an earlier state to the present. Every file is written like an
 * upload: with the rights of now, and the content that it replaces is kept as a version where versions are on.
 * @returns a result for each file and folder, as it is known
 * @throws not_found, forbidden, before the first result
 */
export async function restoreFrom(
  then: Files,
  now: Files,
  order: RestoreOrder,
): Promise<AsyncGenerator<RestoredEntry>> {
  const top = await then.info(order.from)
  then.demandRead(order.from)
  now.demandCreate(order.to)
  return restored(then, now, top, order)
}

async function* restored(then: Files, now: Files, top: Entry, order: RestoreOrder): AsyncGenerator<RestoredEntry> {
  yield await restoreOne(then, now, top, order.to, order)
  if (top.kind !== 'folder') return
  for await (const items of await then.walk(order.from, { signal: order.signal })) {
    for (const { entry, skipped } of items) {
      order.signal.throwIfAborted()
      const path = entry?.path ?? skipped?.path ?? order.from
      const goal = joinPath(order.to, path.slice(order.from === '/' ? 0 : order.from.length) as FilePath)
      if (entry) yield await restoreOne(then, now, entry, goal, order)
      else yield { path: goal, state: 'failed', code: skipped?.code ?? 'internal' }
    }
  }
}

async function restoreOne(
  then: Files,
  now: Files,
  entry: Entry,
  goal: FilePath,
  order: RestoreOrder,
): Promise<RestoredEntry> {
  try {
    if (entry.kind === 'folder' && !entry.isLink) {
      await now.makeFolder(goal)
      return { path: goal, state: 'restored' }
    }
    if (entry.kind !== 'file') return { path: goal, state: 'skipped' }
    return await restoreFile(then, now, entry, goal, order)
  } catch (thrown) {
    order.signal.throwIfAborted()
    const { code } = asAppError(thrown)
    if (code === 'unauthorized' || code === 'no_space') throw thrown
    return { path: goal, state: 'failed', code }
  }
}

async function restoreFile(
  then: Files,
  now: Files,
  { path, modified, size }: Entry,
  goal: FilePath,
  { conflict, signal }: RestoreOrder,
): Promise<RestoredEntry> {
  const write = async (to: FilePath, override: boolean): Promise<RestoredEntry> => {
    const file = await then.open(path)
    try {
      await now.write(to, file.stream(), { override, modified, length: size, signal })
    } finally {
      await file.close()
    }
    return { path: to, state: 'restored' }
  }
  if (conflict === 'keepBoth') return now.transfers.withFreeName(goal, free => write(free, false))
  try {
    return await write(goal, conflict === 'replace')
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'exists' && conflict === 'skip')
      return { path: goal, state: 'skipped' }
    throw thrown
  }
}
