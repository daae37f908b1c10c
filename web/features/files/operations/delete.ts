import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { ApiError } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { promptAfterOthers } from '../../../lib/prompts.ts'
import { sessionStore } from '../../../lib/session.ts'
import { reloadFolders } from '../api/list.ts'
import { removeResource } from '../api/resource.ts'
import { type Failure, tryEach } from '../api/try-each.ts'
import { removeOptimistically } from './optimistic-removal.ts'
import { reportFailures } from './report-failures.ts'
import { isQuick, type Performed, runAsJob } from './run-as-job.ts'
import { offerUndo } from './undo.ts'

/**
 * Moves items to the trash, or deletes them for good; their rows disappear at once and come back when that fails. What
 * cannot be kept is only deleted after a question. Never rejects; it reports failures.
 */
export async function deleteItems(items: readonly ResourceItem[], permanent = false): Promise<void> {
  const leaving = removeOptimistically(items)
  let removed = 0
  let kept = 0
  const gone = (item: ResourceItem, id: string | undefined) => {
    removed += 1
    if (id !== undefined) kept += 1
    leaving.confirm(item)
  }
  const from = items.map(item => ({ from: item.path }))
  const { failures, change } = await (isQuick(items)
    ? removeOne(items, permanent, gone)
    : runAsJob(items, { kind: 'delete', items: from, ...(permanent && { permanent }) }, (item, { kept: id }) =>
        gone(item, id),
      ))
  leaving.end()
  if (kept > 0) offerUndo(t('trash.moved', { count: kept }), [change])
  if (removed > kept) notify('success', t('files.deleted', { count: removed - kept }))
  const { unkept = [], others = [] } = Object.groupBy(failures, isUnkept)
  reportFailures(t('files.deleteFailed', { count: others.length }), others, again => void deleteItems(again, permanent))
  if (unkept.length > 0 && sessionStore.get().user) {
    void promptAfterOthers('delete', { items: unkept.map(({ item }) => item), permanent: true, unkept: true })
  }
  await reloadFolders()
}

async function removeOne(
  items: readonly ResourceItem[],
  permanent: boolean,
  gone: (item: ResourceItem, kept: string | undefined) => void,
): Promise<Performed<ResourceItem>> {
  let change: string | undefined
  const failures = await tryEach(items, async item => {
    const removal = await removeResource(item.path, permanent)
    change = removal.change
    gone(item, removal.kept)
  })
  return { failures, change }
}

/** Whether the item is still there because the trash cannot hold it. */
const isUnkept = ({ error }: Failure<ResourceItem>) =>
  error instanceof ApiError && (error.code === 'no_trash' || error.code === 'too_far') ? 'unkept' : 'others'
