import type { ConflictsAnswer, ConflictsRequest } from '../../../../shared/api/conflicts.ts'
import { apiJson } from '../../../lib/api.ts'

/** `POST /api/conflicts`: what these would find in their way, in folders that would be merged, too. @throws ApiError */
export function findConflicts(items: ConflictsRequest['items'], signal: AbortSignal): Promise<ConflictsAnswer> {
  const body = JSON.stringify({ items } satisfies ConflictsRequest)
  return apiJson('/api/conflicts', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, signal })
}
