import type { FilePath } from '../../../shared/path.ts'
import { loadChunk } from '../../lib/chunk.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { createStore } from '../../lib/store.ts'
import { chooseFiles } from './choose.ts'
import type { Chosen } from './walk.ts'

/** Whether anything has been uploaded since page load: only then the queue and its panel are loaded. */
export const startedStore = createStore(false)

/** Loads what reads chosen and dropped folders. @throws ChunkError */
export const loadWalk = () => loadChunk(() => import('./walk.ts'))

/** Loads the queue. @throws ChunkError */
export const loadRuntime = () => loadChunk(() => import('./runtime.ts'))

/** Uploads chosen files into a folder, after loading the upload code. */
export async function launch(folder: FilePath, chosen: Promise<Chosen>): Promise<void> {
  try {
    const { items, unreadable } = await chosen
    if (items.length + unreadable.length === 0) return
    const { startUpload } = await loadRuntime()
    startedStore.set(true)
    await startUpload(folder, { items, unreadable })
  } catch {
    notify('error', t('errors.chunk'))
  }
}

/** Uploads pasted files into a folder. */
export function launchPasted(folder: FilePath, files: readonly File[]): Promise<void> {
  return launch(
    folder,
    loadChunk(() => import('./pasted.ts')).then(({ fromPaste }) => fromPaste(files)),
  )
}

/** Prompts for files or a folder; must be called from a click or key handler. @throws ChunkError */
export async function chooseItems(what: 'files' | 'folder'): Promise<Chosen> {
  const files = chooseFiles(what)
  const { fromFiles } = await loadWalk()
  return fromFiles(await files)
}

/** The same, and uploads them. */
export function chooseAndLaunch(folder: FilePath, what: 'files' | 'folder'): Promise<void> {
  return launch(folder, chooseItems(what))
}
