import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { childOf, extensionOf, type FilePath, parentOf, parsePath } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { putIn, takeOut } from '../api/cached.ts'
import { knownFolder, reloadFolders } from '../api/list.ts'
import { transferResource } from '../api/transfer.ts'
import { requestFocus } from '../focus-request.ts'
import { reasonOf } from '../reasons.ts'
import { offerUndo } from '../undo.ts'
import { askAgain } from './ask-again.ts'

/** Gives something another name in its folder. The row shows it at once; a refusal asks for the name again. */
export async function rename(item: ResourceItem, name: string): Promise<void> {
  const from = parsePath(item.path)
  const folder = parentOf(from)
  const to = childOf(folder, name)
  if (to === from) return
  const pending = transferResource('move', { from, to })
  const back = showAs(folder, item, name, pending)
  try {
    await pending
  } catch (error) {
    back()
    const taken = error instanceof ApiError && error.status === 409
    const problem = taken ? t('files.nameTaken', { name }) : reasonOf(error)
    askAgain('rename', { item, value: name, problem }, problem)
    return reloadFolders()
  }
  offerUndo(t('naming.renamed', { name }), () => renameBack(folder, { from: to, to: from }, item.name))
  await reloadFolders()
}

async function renameBack(folder: FilePath, call: { from: FilePath; to: FilePath }, name: string): Promise<void> {
  await transferResource('move', call)
  requestFocus(folder, name)
  await reloadFolders()
}

/** Shows the entry under its new name. @returns what takes that back */
function showAs(folder: FilePath, item: ResourceItem, name: string, pending: Promise<void>): () => void {
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
