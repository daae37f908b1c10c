import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { ApiError } from '../../../lib/api.ts'
import { promptAfterOthers } from '../../../lib/prompts.ts'
import { sessionStore } from '../../../lib/session.ts'
import { errorMessageOf } from '../api/error-messages.ts'
import type { Failure } from '../api/try-each.ts'

/**
 * Lists failed items with their reasons; does nothing without failures, or when the session has ended, which has its
 * own notice.
 * @param retry repeats the operation for these items
 */
export function reportFailures(
  title: string,
  failures: readonly Failure<ResourceItem>[],
  retry: (items: readonly ResourceItem[]) => void,
): void {
  const [first] = failures
  if (!first || !sessionStore.get().user) return
  const { item, error } = first
  if (failures.length === 1 && error instanceof ApiError && error.code === 'locked') {
    void promptAfterOthers('locked', { path: item.path, name: item.name, onRetry: () => retry([item]) })
    return
  }
  void promptAfterOthers('error', {
    title,
    failures: failures.map(({ item, error }) => ({ name: item.name, reason: errorMessageOf(error) })),
    onRetry: () => retry(failures.map(({ item }) => item)),
  })
}
