import { type KeptItem, MAX_TRASH_ITEMS, type TrashResult } from '../../../shared/api/trash.ts'
import { shownName } from '../../../shared/bytes.ts'
import { nameOf, parsePath } from '../../../shared/path.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { promptAfterOthers } from '../../lib/prompts.ts'
import { errorMessageOf } from '../files/api/error-messages.ts'
import { jobErrorOf } from '../files/api/job-error.ts'
import { empty, purge, reloadTrash } from './api/trash.ts'
import { closeVainOffers } from './close-offers.ts'

/** Deletes items of the trash for good. Never rejects; it reports failures. */
export async function purgeItems(items: readonly KeptItem[]): Promise<void> {
  await reporting(async () => {
    const results: TrashResult[] = []
    for (let from = 0; from < items.length; from += MAX_TRASH_ITEMS) {
      const ids = items.slice(from, from + MAX_TRASH_ITEMS).map(({ id }) => id)
      results.push(...(await purge({ ids })).results)
    }
    return results
  }, againWith(items))
}

/** The names of items, and what tries the failed ones again. */
function againWith(items: readonly KeptItem[]): Again {
  const names = new Map(items.map(({ id, name }) => [id, name]))
  return {
    nameOf: id => names.get(id) ?? id,
    retry: ids => void purgeItems(items.filter(({ id }) => ids.has(id))),
  }
}

interface Again {
  nameOf(id: string): string
  retry(ids: ReadonlySet<string>): void
}

/**
 * Deletes everything for good that is in the trash now, as a job. Never rejects; it reports failures.
 * @param mine only what the user deleted
 */
export async function emptyTrash(mine: boolean): Promise<void> {
  await reporting(
    async () => {
      const items = await empty(mine ? { mine } : {})
      return items.map(({ from, state, code = '' }): TrashResult => {
        if (state === 'failed') return { id: from, state, code }
        return { id: from, state: state === 'done' ? state : 'skipped' }
      })
    },
    { nameOf: path => shownName(nameOf(parsePath(path))), retry: () => void emptyTrash(mine) },
  )
}

async function reporting(act: () => Promise<TrashResult[]>, again: Again): Promise<void> {
  try {
    const results = await act()
    const done = results.filter(({ state }) => state === 'done')
    const [first] = done
    if (first) notify('success', t('files.deleted', { count: done.length, item: again.nameOf(first.id) }))
    const failed = results.filter(({ state, code }) => state === 'failed' && code !== 'gone')
    if (failed.length > 0) reportFailed(failed, again)
  } catch (error) {
    notify('error', errorText(error))
  }
  void closeVainOffers()
  await reloadTrash()
}

function reportFailed(failed: readonly TrashResult[], again: Again): void {
  const ids = new Set(failed.map(({ id }) => id))
  void promptAfterOthers('error', {
    title: t('files.deleteFailed', { count: failed.length }),
    failures: failed.map(({ id, code }) => ({
      name: again.nameOf(id),
      reason: errorMessageOf(jobErrorOf(code ?? '')),
    })),
    onRetry: () => again.retry(ids),
  })
}
