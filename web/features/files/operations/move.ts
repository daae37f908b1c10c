import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { pageConfig } from '../../../lib/config.ts'
import { type TransferCall, transferResource } from '../api/transfer.ts'
import { isQuick, runAsJob } from './run-as-job.ts'

/**
 * Moves an item. A move that copies and takes long runs as a job: it shows its progress, and survives a closed page and
 * a server restart.
 * @returns whether it was moved; false when the user cancels
 * @throws ApiError
 */
export async function moveItem(item: ResourceItem, way: Pick<TransferCall, 'from' | 'to'>): Promise<boolean> {
  if (!pageConfig.MovesByCopy || isQuick([item])) {
    await transferResource('move', way)
    return true
  }
  let went = false
  const [failure] = await runAsJob([item], { kind: 'move', items: [way] }, () => {
    went = true
  })
  if (failure) throw failure.error
  return went
}
