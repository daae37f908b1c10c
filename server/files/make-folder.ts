import { type FilePath, parentOf } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { StorageDriver } from '../storage/driver.ts'
import type { Changes } from './changes.ts'
import type { Around } from './hooks.ts'
import { recordFolder } from './recorder.ts'
import type { TransferContext } from './transfer.ts'

interface Tools {
  context: Pick<TransferContext, 'store' | 'record'>
  changes: Changes
  around: Around
}

/** @throws not_a_folder */
export async function demandParent(store: StorageDriver, path: FilePath): Promise<void> {
  const { kind } = (await store.stat(parentOf(path))) ?? {}
  if (kind !== 'folder') throw new AppError('not_a_folder', 'its folder does not exist')
}

/**
 * Creates a folder and its missing parents; an existing folder is fine.
 * @param how `alone`: no parents, and what exists is `exists`
 * @throws exists, not_a_folder
 */
export async function makeFolder(
  { context, changes, around }: Tools,
  path: FilePath,
  { alone } = { alone: false },
): Promise<void> {
  const { store } = context
  const demandAlone = async () => {
    if (await store.stat(path)) throw new AppError('exists')
    await demandParent(store, path)
  }
  if (alone) await demandAlone()
  const standing = await store.stat(path)
  if (standing?.kind === 'folder') return
  const make = async () => {
    await changes.locked(path, 'name', async () => {
      if (alone) await demandAlone()
      await recordFolder(context, path)
    })
    changes.notify(path, 'created')
  }
  // Where the path exists, the store refuses or has nothing to do: no operation, no hook.
  await (standing ? make() : around({ name: 'upload', path }, make))
}
