import { useEffect } from 'react'
import type { FileResource } from '../../shared/api/resources.ts'
import { isFile } from '../features/files/api/list.ts'
import { useActionContext } from '../lib/actions.ts'
import { lazyTool } from '../lib/lazy.ts'
import { onlineStore } from '../lib/online.ts'

const FileView = lazyTool(() => import('./file-view.tsx'))

/** Milliseconds after the folder has loaded until the part that shows files is loaded. */
const IDLE = 2000
/** Milliseconds for which a file must be selected until its viewer is loaded. */
const REST = 200

/** Loads the part that shows files before one is opened, and the viewer of a selected file. Renders nothing. */
export function PrefetchViewer() {
  const { selection } = useActionContext()
  const [item] = selection
  const file = selection.length === 1 && item && isFile(item) ? item : undefined
  useLater(IDLE, 'shell')
  useLater(file && REST, file?.path, file)
  return null
}

/** @param state starts the time again */
function useLater(delay: number | undefined, state: string | undefined, file?: FileResource): void {
  useEffect(() => {
    if (delay === undefined) return
    // A failure surfaces when the part is really needed.
    const timer = setTimeout(() => onlineStore.get() && void loadViewer(file).catch(() => undefined), delay)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the listing makes new objects of the same file
  }, [delay, state])
}

async function loadViewer(file: FileResource | undefined): Promise<void> {
  const [{ VIEWERS }] = await Promise.all([import('./viewers.ts'), FileView.preload()])
  if (file) await VIEWERS.find(viewer => viewer.accepts(file, undefined))?.component.preload()
}
