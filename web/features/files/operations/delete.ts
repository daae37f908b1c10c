import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { tryEach } from '../api/each.ts'
import { reloadFolders } from '../api/list.ts'
import { removeResource } from '../api/remove.ts'
import { leave } from './optimistic-removal.ts'
import { tellFailures } from './report-failures.ts'
import { doTogether, isQuick } from './run-as-job.ts'

/** Deletes things; their rows go at once and come back when they could not be deleted. Never fails; it tells. */
export async function runRemoval(items: readonly ResourceItem[]): Promise<void> {
  const leaving = leave(items)
  let removed = 0
  const gone = (item: ResourceItem) => {
    removed += 1
    leaving.confirm(item)
  }
  const failures = await (isQuick(items)
    ? tryEach(items, item => removeResource(item.path).then(() => gone(item)))
    : doTogether(items, { kind: 'delete', items: items.map(({ path }) => ({ from: path })) }, gone))
  leaving.end()
  if (removed > 0) notify('success', t('files.deleted', { count: removed }))
  tellFailures(t('files.deleteFailed', { count: failures.length }), failures, again => void runRemoval(again))
  await reloadFolders()
}
