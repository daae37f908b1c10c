import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { childOf, extensionOf, type FilePath, parentOf, parsePath } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { insertEntries, removeEntries } from '../api/edit-listing.ts'
import { errorMessageOf } from '../api/error-messages.ts'
import { knownFolder, reloadFolders } from '../api/list.ts'
import { requestFocus } from '../items/focus-request.ts'
import { type Naming, retryName } from './retry-name.ts'
import { sendSteps } from './send-steps.ts'
import { offerUndo } from './undo.ts'

/**
 * Renames an item within its folder. The row shows the new name at once; a refusal asks for the name again.
 */
export async function rename(item: ResourceItem, name: string, { focus, retry }: Naming): Promise<void> {
  const from = parsePath(item.path)
  const folder = parentOf(from)
  const to = childOf(folder, name)
  if (to === from) return
  const moving = moveTo(item, from, to)
  const back = showAs(folder, item, name, moving, focus)
  try {
    const { moved, change } = await moving
    if (!moved) {
      back()
      return reloadFolders()
    }
    offerUndo(t('naming.renamed', { name }), [change])
  } catch (error) {
    back()
    const taken = error instanceof ApiError && error.status === 409
    const problem = taken ? t('files.nameTaken', { name }) : errorMessageOf(error)
    retryName(retry, problem)
    return reloadFolders()
  }
  await reloadFolders()
}

/** Whether an item was moved, false when the user cancels, and the id of the change. */
interface Move {
  moved: boolean
  change: string | undefined
}

/** @throws ApiError */
async function moveTo(item: ResourceItem, from: FilePath, to: FilePath): Promise<Move> {
  let moved = false
  const { failures, change } = await sendSteps(
    { action: 'move', verify: false },
    [{ item, from, to, decided: undefined, numbered: false }],
    () => {
      moved = true
    },
  )
  const [failure] = failures
  if (failure) throw failure.error
  return { moved, change }
}

/** Shows the entry under its new name. @returns the rollback */
function showAs(
  folder: FilePath,
  item: ResourceItem,
  name: string,
  pending: Promise<unknown>,
  focus: boolean,
): () => void {
  const listed = knownFolder(folder)?.items.find(entry => entry.name === item.name)
  if (!listed) return () => undefined
  removeEntries(folder, new Set([item.name]))
  const path = childOf(folder, name)
  insertEntries(folder, [{ ...listed, path, name, extension: extensionOf(name), pending }])
  if (focus) requestFocus(folder, name)
  return () => {
    removeEntries(folder, new Set([name]))
    insertEntries(folder, [listed])
    if (focus) requestFocus(folder, item.name)
  }
}
