import { type FilePath, nameOf, parentOf, parsePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { currentRoute } from '../../../lib/router.tsx'
import { reloadFolders } from '../api/list.ts'
import { restoreKept } from '../api/trash.ts'
import { requestFocus } from '../items/focus-request.ts'
import { jobErrorOf } from './run-as-job.ts'

/** Restores what a deletion moved to the trash. @throws ApiError if nothing came back */
export async function undoDeletion(ids: readonly string[]): Promise<void> {
  const results = await restoreKept({ items: ids.map(id => ({ id })) })
  const back = results.flatMap(({ to }) => (to === undefined ? [] : [parsePath(to)]))
  focusRestored(back)
  await reloadFolders()
  const failure = results.find(({ state }) => state === 'failed')
  if (back.length > 0) notify('success', t('trash.restored', { count: back.length }))
  if (failure) throw jobErrorOf(failure.code ?? '')
}

/** Focuses the first item that came back into the folder on the screen. */
export function focusRestored(paths: readonly FilePath[]): void {
  const route = currentRoute()
  const here = paths.find(path => route.name === 'files' && parentOf(path) === route.path)
  if (here !== undefined) requestFocus(parentOf(here), nameOf(here))
}
