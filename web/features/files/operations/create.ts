import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { childOf, extensionOf, type FilePath } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { insertEntries, removeEntries } from '../api/edit-listing.ts'
import { errorMessageOf } from '../api/error-messages.ts'
import { reloadFolder } from '../api/list.ts'
import { createFile, createFolder } from '../api/resource.ts'
import { requestFocus } from '../items/focus-request.ts'
import { type Naming, retryName } from './retry-name.ts'
import { ifTrash, offerUndo } from './undo.ts'

const CALLS = { folder: createFolder, file: createFile } as const

/**
 * Creates an empty file or folder. Its row appears at once; a refusal asks for the name again.
 */
export async function create(
  what: keyof typeof CALLS,
  folder: FilePath,
  name: string,
  { focus, retry }: Naming,
): Promise<void> {
  const path = childOf(folder, name)
  const pending = CALLS[what](path)
  insertEntries(folder, [{ ...emptyItem(path, name, what === 'folder'), pending }])
  if (focus) requestFocus(folder, name)
  let change: string | undefined
  try {
    change = await pending
  } catch (error) {
    removeEntries(folder, new Set([name]))
    const problem = refusal(what, error, name)
    retryName(retry, problem)
    return reloadFolder(folder)
  }
  offerUndo(t('naming.created', { name }), ifTrash([change]))
  await reloadFolder(folder)
}

/** The listing entry until the server returns the real one. */
export function emptyItem(path: FilePath, name: string, isDir: boolean): ResourceItem {
  const fixed = { size: 0, mode: 0, isSymlink: false, modified: new Date().toISOString() }
  return { ...fixed, path, name, isDir, extension: extensionOf(name), type: isDir ? '' : 'text' }
}

function refusal(what: keyof typeof CALLS, error: unknown, name: string): string {
  if (error instanceof ApiError && error.status === 409) return t('files.nameTaken', { name })
  if (!(error instanceof ApiError && error.status === 403) || error.code === 'server_refused')
    return errorMessageOf(error)
  return t(what === 'folder' ? 'files.newFolderForbidden' : 'naming.newFileForbidden')
}
