import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { reloadFolders } from '../api/list.ts'
import { removeResource } from '../api/resource.ts'
import { tryEach } from '../api/try-each.ts'
import { removeOptimistically } from './optimistic-removal.ts'
import { reportFailures } from './report-failures.ts'
import { isQuick, runAsJob } from './run-as-job.ts'

/**
 * Deletes items; their rows disappear at once and come back when deletion fails. Never rejects; it reports failures.
 */
export async function deleteItems(items: readonly ResourceItem[]): Promise<void> {
  const leaving = removeOptimistically(items)
  let removed = 0
  const gone = (item: ResourceItem) => {
    removed += 1
    leaving.confirm(item)
  }
  const failures = await (isQuick(items)
    ? tryEach(items, item => removeResource(item.path).then(() => gone(item)))
    : runAsJob(items, { kind: 'delete', items: items.map(({ path }) => ({ from: path })) }, gone))
  leaving.end()
  if (removed > 0) notify('success', t('files.deleted', { count: removed }))
  reportFailures(t('files.deleteFailed', { count: failures.length }), failures, again => void deleteItems(again))
  await reloadFolders()
}
