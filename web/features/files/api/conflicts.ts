import type { ConflictsAnswer, ConflictsRequest } from '../../../../shared/api/conflicts.ts'
import { apiJson } from '../../../lib/api.ts'

/**
 * `POST /api/conflicts`: the conflicts of these steps, including those inside folders to be merged. @throws ApiError
 */
export function findConflicts(items: ConflictsRequest['items'], signal: AbortSignal): Promise<ConflictsAnswer> {
  const body = JSON.stringify({ items } satisfies ConflictsRequest)
  return apiJson('/api/conflicts', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, signal })
}
