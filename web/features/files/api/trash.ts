import type { ConflictsAnswer, FoundConflict } from '../../../../shared/api/conflicts.ts'
import { MAX_TRASH_ITEMS, type RestoreBody, type TrashResult, type TrashResults } from '../../../../shared/api/trash.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { changeOf } from './resource.ts'

/** What to restore, and the choices for taken names. */
export type Restoration = RestoreBody

/** A result for each item, in order, and the id of the change. */
export interface Restored {
  results: TrashResult[]
  change: string | undefined
}

/**
 * `POST /api/trash/restore` (http-api 20), as many times as needed.
 * @param gesture requests with the same are one change
 * @throws ApiError
 */
export async function restoreKept({ items, ...choices }: Restoration, gesture: string): Promise<Restored> {
  const results: TrashResult[] = []
  let change: string | undefined
  for (let from = 0; from < items.length; from += MAX_TRASH_ITEMS) {
    const body: RestoreBody = { ...choices, items: items.slice(from, from + MAX_TRASH_ITEMS) }
    const headers = { 'Content-Type': 'application/json', 'X-Gesture': gesture }
    const response = await api('/api/trash/restore', { method: 'POST', headers, body: JSON.stringify(body) })
    const answer: TrashResults = await response.json()
    results.push(...answer.results)
    change = changeOf(response) ?? change
  }
  return { results, change }
}

/** `POST /api/trash/conflicts` (http-api 20): what is in the way of a restore. @throws ApiError */
export async function findConflicts(items: Restoration['items']): Promise<ConflictsAnswer> {
  const conflicts: FoundConflict[] = []
  let more = 0
  for (let from = 0; from < items.length; from += MAX_TRASH_ITEMS) {
    const body = JSON.stringify({ items: items.slice(from, from + MAX_TRASH_ITEMS) })
    const how = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }
    const answer = await apiJson<ConflictsAnswer>('/api/trash/conflicts', how)
    conflicts.push(...answer.conflicts.map(conflict => ({ ...conflict, item: conflict.item + from })))
    more += answer.more
  }
  return { conflicts, more }
}
