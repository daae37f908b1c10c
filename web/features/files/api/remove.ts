import { encodePath } from '../../../../shared/path.ts'
import { api } from '../../../lib/api.ts'

/** Calls at the same time when several things are deleted. */
const AT_ONCE = 4

/** `DELETE /api/resources/{path}` (contract 3.4): a file, or a folder with everything inside. @throws ApiError */
export async function removeResource(path: string): Promise<void> {
  await api(`/api/resources${encodePath(path)}`, { method: 'DELETE' })
}

export interface RemoveFailure<T> {
  item: T
  error: unknown
}

/**
 * Deletes several things, a few at a time; one that fails does not stop the others.
 * @param onProgress gets how many have been tried so far
 * @returns those that could not be deleted
 */
export async function removeAll<T extends { path: string }>(
  items: readonly T[],
  onProgress: (tried: number) => void,
): Promise<RemoveFailure<T>[]> {
  const failures: RemoveFailure<T>[] = []
  const waiting = items.values()
  let tried = 0
  const work = async () => {
    for (const item of waiting) {
      await removeResource(item.path).catch((error: unknown) => failures.push({ item, error }))
      tried += 1
      onProgress(tried)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return failures
}
