import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { FilePath } from '../../../../shared/path.ts'
import { loadChunk } from '../../../lib/chunk.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import type { TransferAction } from '../api/resource.ts'

/**
 * Moves items into a folder. Prompts for conflicts, shows progress, lists failures, and offers to undo. Never rejects;
 * failures are reported.
 */
export function moveItems(items: readonly ResourceItem[], destination: FilePath): Promise<void> {
  return transferItems('move', items, destination)
}

/** Copies items into a folder, otherwise like `moveItems`. Copies next to the original get a number in their name. */
export function copyItems(items: readonly ResourceItem[], destination: FilePath): Promise<void> {
  return transferItems('copy', items, destination)
}

/** Either of them, by action name. @param verify compares each copy with its source, before a moved source is removed */
export async function transferItems(
  action: TransferAction,
  items: readonly ResourceItem[],
  destination: FilePath,
  verify = false,
): Promise<void> {
  const part = await loadChunk(() => import('./run-transfer.ts')).catch(() => undefined)
  if (part) await part.runTransfer({ action, verify }, items, destination)
  else notify('error', t('errors.chunk'))
}
