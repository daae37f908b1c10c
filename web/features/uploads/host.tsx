import { Suspense, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { nameOf } from '../../../shared/path.ts'
import { actionById, currentContext } from '../../lib/actions.ts'
import { t } from '../../lib/i18n/index.ts'
import { lazyPart } from '../../lib/lazy.ts'
import { currentPrompt } from '../../lib/prompts.ts'
import { useRoute } from '../../lib/router.tsx'
import { useStore } from '../../lib/store.ts'
import { Upload } from '../../ui/icons.ts'
import styles from './host.module.css'
import { launch, startedStore } from './launch.ts'
import { carriesFiles, takeDrop, walkDrop } from './walk.ts'

const loadPanel = () => import('./panel.tsx')
const Panel = lazyPart(loadPanel)

/** Milliseconds after which what an upload needs is fetched, so that one can begin without a connection, too. */
const PREFETCH_DELAY = 2000

/** Takes files dropped anywhere on a folder, and shows the panel of uploads once there are some. */
export function UploadsHost() {
  const started = useStore(startedStore)
  const inFolder = useRoute().name === 'files'
  useEffect(() => {
    if (!inFolder) return
    // A failure shows when the part is really needed.
    const load = () => void Promise.allSettled([loadPanel(), import('./prompts/upload.tsx')])
    const timer = setTimeout(load, PREFETCH_DELAY)
    return () => clearTimeout(timer)
  }, [inFolder])
  return (
    <>
      <DropZone />
      {started && (
        <Suspense>
          <Panel />
        </Suspense>
      )}
    </>
  )
}

function DropZone() {
  const over = useFileDrops()
  const route = useRoute()
  const content = document.getElementById('content')
  if (!over || !content || route.name !== 'files') return null
  return createPortal(
    <div className={styles.zone}>
      <p className={styles.hint}>
        <Upload size={24} aria-hidden />
        {t('uploads.dropHere', { name: nameOf(route.path) || t('files.home') })}
      </p>
    </div>,
    content,
  )
}

/** Whether files can be dropped here and now. */
function mayDrop(): boolean {
  return (actionById('upload')?.visible(currentContext()) ?? false) && currentPrompt() === null
}

/** Listens for drags of desktop files over the whole window; answers whether one is over it and may be dropped. */
function useFileDrops(): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const on = (type: 'dragenter' | 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      addEventListener(type, event => carriesFiles(event.dataTransfer) && act(event), { signal: stop.signal })
    const allow = (event: DragEvent) => {
      // Without this the browser would leave the page and open the file.
      event.preventDefault()
      const allowed = mayDrop()
      if (event.dataTransfer) event.dataTransfer.dropEffect = allowed ? 'copy' : 'none'
      setOver(allowed)
    }
    on('dragenter', allow)
    on('dragover', allow)
    on('dragleave', event => {
      if (event.relatedTarget === null) setOver(false)
    })
    on('drop', event => {
      event.preventDefault()
      setOver(false)
      const { route } = currentContext()
      if (!event.dataTransfer || route.name !== 'files' || !mayDrop()) return
      void launch(route.path, walkDrop(takeDrop(event.dataTransfer)))
    })
    return () => stop.abort()
  }, [])
  return over
}
