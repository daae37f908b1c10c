import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { pageConfig } from '../../../lib/config.ts'
import { type TransferCall, transferResource } from '../api/transfer.ts'
import { doTogether, isQuick } from './run-as-job.ts'

/**
 * Gives one thing another place. Where moving copies, what takes long is a job: somebody sees how far it is, and it goes on
 * after the page and the server were closed.
 * @returns whether it went; it stays where somebody cancels that
 * @throws ApiError
 */
export async function moveOne(item: ResourceItem, way: Pick<TransferCall, 'from' | 'to'>): Promise<boolean> {
  if (!pageConfig.MovesByCopy || isQuick([item])) {
    await transferResource('move', way)
    return true
  }
  let went = false
  const [failure] = await doTogether([item], { kind: 'move', items: [way] }, () => {
    went = true
  })
  if (failure) throw failure.error
  return went
}
