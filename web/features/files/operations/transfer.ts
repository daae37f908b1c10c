import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { FilePath } from '../../../../shared/path.ts'
import { loadChunk } from '../../../lib/chunk.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import type { TransferAction } from '../api/transfer.ts'

/**
 * Moves things into a folder. Asks about what is in the way, shows how far it is, lists what could not be moved, and
 * offers to undo it. Never fails; what goes wrong is told.
 */
export function moveItems(items: readonly ResourceItem[], destination: FilePath): Promise<void> {
  return transferItems('move', items, destination)
}

/** Copies things into a folder, otherwise like `moveItems`. Copies beside the original get a number in their name. */
export function copyItems(items: readonly ResourceItem[], destination: FilePath): Promise<void> {
  return transferItems('copy', items, destination)
}

/** Both of the above, for those to whom the action is a value. */
export async function transferItems(
  action: TransferAction,
  items: readonly ResourceItem[],
  destination: FilePath,
): Promise<void> {
  const part = await loadChunk(() => import('./run-transfer.ts')).catch(() => undefined)
  if (part) await part.runTransfer(action, items, destination)
  else notify('error', t('errors.chunk'))
}
