import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { childOf, type FilePath, trustedChild } from '../../../../shared/path.ts'
import { notify } from '../../../lib/notices.ts'
import { navigate, shownUrl } from '../../../lib/router.tsx'
import { errorMessageOf } from '../api/error-messages.ts'
import { reloadFolder } from '../api/list.ts'
import { createFile } from '../api/resource.ts'
import { NOTE_NAME, readmeOf } from '../items/readme.ts'

/** Opens the note of a folder in the editor; it is created if it is missing. Never rejects. */
export async function addNote(folder: FilePath, items: readonly ResourceItem[]): Promise<void> {
  const found = readmeOf(items)
  if (found) return void navigate(shownUrl(trustedChild(folder, found.name), 'text'))
  const path = childOf(folder, NOTE_NAME)
  try {
    await createFile(path)
    await reloadFolder(folder)
    void navigate(shownUrl(path, 'text'))
  } catch (error) {
    notify('error', errorMessageOf(error))
  }
}
