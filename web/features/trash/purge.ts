import { type KeptItem, MAX_TRASH_ITEMS, type TrashResult } from '../../../shared/api/trash.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { promptAfterOthers } from '../../lib/prompts.ts'
import { errorMessageOf } from '../files/api/error-messages.ts'
import { jobErrorOf } from '../files/api/job-error.ts'
import { purge, reloadTrash } from './api/trash.ts'

/** Deletes items of the trash for good. Never rejects; it reports failures. */
export async function purgeItems(items: readonly KeptItem[]): Promise<void> {
  await reporting(async () => {
    const results: TrashResult[] = []
    for (let from = 0; from < items.length; from += MAX_TRASH_ITEMS) {
      const ids = items.slice(from, from + MAX_TRASH_ITEMS).map(({ id }) => id)
      results.push(...(await purge({ ids })).results)
    }
    return results
  }, items)
}

/**
 * Deletes everything for good that is in the trash now. Never rejects; it reports failures.
 * @param mine only what the user deleted
 */
export async function emptyTrash(mine: boolean): Promise<void> {
  const before = new Date().toISOString()
  await reporting(async () => {
    const results: TrashResult[] = []
    for (;;) {
      const answer = await purge({ all: true, before, ...(mine && { mine }) })
      results.push(...answer.results)
      // Items that cannot go would come again.
      if (!answer.more || !answer.results.some(({ state }) => state === 'done')) return results
    }
  }, [])
}

async function reporting(act: () => Promise<TrashResult[]>, items: readonly KeptItem[]): Promise<void> {
  try {
    const results = await act()
    const done = results.filter(({ state }) => state === 'done').length
    if (done > 0) notify('success', t('files.deleted', { count: done }))
    const failed = results.filter(({ state, code }) => state === 'failed' && code !== 'gone')
    if (failed.length > 0) reportFailed(failed, items)
  } catch (error) {
    notify('error', errorText(error))
  }
  await reloadTrash()
}

function reportFailed(failed: readonly TrashResult[], items: readonly KeptItem[]): void {
  const names = new Map(items.map(({ id, name }) => [id, name]))
  const ids = new Set(failed.map(({ id }) => id))
  void promptAfterOthers('error', {
    title: t('files.deleteFailed', { count: failed.length }),
    failures: failed.map(({ id, code }) => ({
      name: names.get(id) ?? id,
      reason: errorMessageOf(jobErrorOf(code ?? '')),
    })),
    onRetry: () => void purgeItems(items.filter(({ id }) => ids.has(id))),
  })
}
