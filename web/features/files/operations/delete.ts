import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
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

export interface Deletion {
  /** For good, not to the trash. */
  permanent?: boolean
  /** To the trash also by a copy, whatever its size. */
  copy?: boolean
}

/**
 * Moves items to the trash, or deletes them for good; their rows disappear at once and come back when that fails. What
 * cannot be kept is only deleted after a question. Never rejects; it reports failures.
 */
export async function deleteItems(items: readonly ResourceItem[], { permanent, copy }: Deletion = {}): Promise<void> {
  const leaving = removeOptimistically(items)
  const kept: ResourceItem[] = []
  const lost: ResourceItem[] = []
  const gone = (item: ResourceItem, id: string | undefined) => {
    const list = id === undefined ? lost : kept
    list.push(item)
    leaving.confirm(item)
  }
  const from = items.map(item => ({ from: item.path }))
  const { failures, change } = await (isQuick(items) && !copy
    ? removeOne(items, permanent, gone)
    : runAsJob(
        items,
        { kind: 'delete', items: from, ...(permanent && { permanent }), ...(copy && { copy }) },
        (item, { kept: id }) => gone(item, id),
      ))
  leaving.end()
  if (kept.length > 0) offerUndo(t('trash.moved', counted(kept)), [change])
  if (lost.length > 0) notify('success', t('files.deleted', counted(lost)))
  const { unkept = [], far = [], others = [] } = Object.groupBy(failures, groupOf)
  reportFailures(
    t('files.deleteFailed', { count: others.length }),
    others,
    again => void deleteItems(again, { ...(permanent && { permanent }), ...(copy && { copy }) }),
  )
  if (!sessionStore.get().user) return reloadFolders()
  if (unkept.length > 0)
    void promptAfterOthers('delete', { items: unkept.map(({ item }) => item), permanent: true, unkept: true })
  if (far.length > 0) {
    const bytes = far.reduce((sum, { item, bytes = item.isDir ? Number.NaN : item.size }) => sum + bytes, 0)
    void promptAfterOthers('delete', { items: far.map(({ item }) => item), permanent: true, copyBytes: bytes })
  }
  await reloadFolders()
}

const counted = (items: readonly ResourceItem[]) => ({
  count: items.length,
  item: shownName(items[0]?.name ?? ''),
})

async function removeOne(
  items: readonly ResourceItem[],
  permanent: boolean | undefined,
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

/** Whether the item is still there because the trash cannot hold it, or only a copy. */
function groupOf({ error }: Failure<ResourceItem>) {
  const code = error instanceof ApiError ? error.code : ''
  return code === 'no_trash' ? 'unkept' : code === 'too_far' ? 'far' : 'others'
}
