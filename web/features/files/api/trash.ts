import { MAX_TRASH_ITEMS, type RestoreBody, type TrashResult, type TrashResults } from '../../../../shared/api/trash.ts'
import { apiJson } from '../../../lib/api.ts'

/** What to restore, and the choices for taken names. */
export type Restoration = RestoreBody

/**
 * `POST /api/trash/restore` (http-api 20), as many times as needed. @returns a result for each item, in order
 * @throws ApiError
 */
export async function restoreKept({ items, ...choices }: Restoration): Promise<TrashResult[]> {
  const results: TrashResult[] = []
  for (let from = 0; from < items.length; from += MAX_TRASH_ITEMS) {
    const body: RestoreBody = { ...choices, items: items.slice(from, from + MAX_TRASH_ITEMS) }
    const answer = await apiJson<TrashResults>('/api/trash/restore', jsonPost(body))
    results.push(...answer.results)
  }
  return results
}

const jsonPost = (body: object) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})
