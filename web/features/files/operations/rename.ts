import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { childOf, extensionOf, type FilePath, parentOf, parsePath } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { putIn, takeOut } from '../api/cached.ts'
import { knownFolder, reloadFolders } from '../api/list.ts'
import { requestFocus } from '../items/focus-request.ts'
import { errorMessageOf } from './error-messages.ts'
import { moveItem } from './move.ts'
import { retryName } from './retry-name.ts'
import { offerUndo } from './undo.ts'

/** Renames an item within its folder. The row shows the new name at once; a refusal reopens the prompt for the name. */
export async function rename(item: ResourceItem, name: string): Promise<void> {
  const from = parsePath(item.path)
  const folder = parentOf(from)
  const to = childOf(folder, name)
  if (to === from) return
  const moving = moveItem(item, { from, to })
  const back = showAs(folder, item, name, moving)
  try {
    if (!(await moving)) {
      back()
      return reloadFolders()
    }
  } catch (error) {
    back()
    const taken = error instanceof ApiError && error.status === 409
    const problem = taken ? t('files.nameTaken', { name }) : errorMessageOf(error)
    retryName('rename', { item, value: name, problem }, problem)
    return reloadFolders()
  }
  offerUndo(t('naming.renamed', { name }), () => renameBack(folder, { from: to, to: from }, item))
  await reloadFolders()
}

async function renameBack(folder: FilePath, way: { from: FilePath; to: FilePath }, item: ResourceItem): Promise<void> {
  if (await moveItem(item, way)) requestFocus(folder, item.name)
  await reloadFolders()
}

/** Shows the entry under its new name. @returns the rollback */
function showAs(folder: FilePath, item: ResourceItem, name: string, pending: Promise<unknown>): () => void {
  const listed = knownFolder(folder)?.items.find(entry => entry.name === item.name)
  if (!listed) return () => undefined
  takeOut(folder, new Set([item.name]))
  const path = childOf(folder, name)
  putIn(folder, [{ ...listed, path, name, extension: extensionOf(name), pending }])
  requestFocus(folder, name)
  return () => {
    takeOut(folder, new Set([name]))
    putIn(folder, [listed])
    requestFocus(folder, item.name)
  }
}
