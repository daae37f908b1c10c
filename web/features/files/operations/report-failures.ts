import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { promptAfterOthers } from '../../../lib/prompts.ts'
import { sessionStore } from '../../../lib/session.ts'
import type { Failure } from '../api/each.ts'
import { reasonOf } from './error-messages.ts'

/**
 * Lists what could not be done, and why; nothing if all went well, or if the session has ended, which says enough.
 * @param retry tries these once more
 */
export function tellFailures(
  title: string,
  failures: readonly Failure<ResourceItem>[],
  retry: (items: readonly ResourceItem[]) => void,
): void {
  if (failures.length === 0 || !sessionStore.get().user) return
  void promptAfterOthers('error', {
    title,
    failures: failures.map(({ item, error }) => ({ name: item.name, reason: reasonOf(error) })),
    onRetry: () => retry(failures.map(({ item }) => item)),
  })
}
