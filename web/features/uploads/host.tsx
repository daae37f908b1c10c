import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { type FilePath, nameOf } from '../../../shared/path.ts'
import { actionById, canRun, currentContext } from '../../lib/actions.ts'
import { t } from '../../lib/i18n/index.ts'
import { isTextField } from '../../lib/keyboard.ts'
import { lazyPart } from '../../lib/lazy.ts'
import { currentPrompt } from '../../lib/prompts.ts'
import { useRoute } from '../../lib/router.tsx'
import { sessionStore } from '../../lib/session.ts'
import { useStore } from '../../lib/store.ts'
import { Upload } from '../../ui/icons.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { dropTargetAt, isListing, markDropTarget } from '../files/listing/drag/drop-target.ts'
import { carriesFiles, takeDrop } from './drop.ts'
import styles from './host.module.css'
import { launch, launchPasted, loadWalk, startedStore } from './launch.ts'
import { leftUploads } from './left-uploads.ts'

const loadPanel = () => import('./panel.tsx')
const Panel = lazyPart(loadPanel)

/** Milliseconds after which the upload code is preloaded, so that an upload can start without a connection, too. */
const PREFETCH_DELAY = 2000

/** Accepts files dropped on a folder or pasted into it, and shows the upload panel when there are uploads. */
export function UploadsHost() {
  const started = useStore(startedStore)
  const inFolder = useRoute().name === 'files'
  useEffect(() => {
    if (!inFolder) return
    // A failure surfaces when the chunk is really needed.
    const load = () =>
      void Promise.allSettled([
        loadPanel(),
        loadWalk(),
        import('./pasted.ts'),
        import('./prompts/upload.tsx'),
        offerInterrupted(),
      ])
    const timer = setTimeout(load, leftUploads.store.get() === 'yes' ? 0 : PREFETCH_DELAY)
    return () => clearTimeout(timer)
  }, [inFolder])
  return (
    <>
      <DropZone />
      {started && (
        <LazyBoundary>
          <Panel />
        </LazyBoundary>
      )}
    </>
  )
}

/** Shows the panel if an earlier page has left uploads. */
async function offerInterrupted(): Promise<void> {
  const user = sessionStore.get().user?.id
  if (user === undefined || startedStore.get()) return
  const { findInterrupted, interruptedStore } = await import('./interrupted.ts')
  await findInterrupted(user)
  if (interruptedStore.get().length > 0) startedStore.set(true)
}

function DropZone() {
  const folder = useFileDrops()
  const content = document.getElementById('content')
  if (folder === undefined || !content) return null
  return createPortal(
    <div className={styles.zone}>
      <p className={styles.hint}>
        <Upload size={24} aria-hidden />
        {t('uploads.dropHere', { name: nameOf(folder) || t('files.home') })}
      </p>
    </div>,
    content,
  )
}

/** The destination of a drop or a paste at this point; `undefined` where there is none. */
function targetOf({
  target,
}: Pick<Event, 'target'>): { element: HTMLElement | undefined; folder: FilePath } | undefined {
  const context = currentContext()
  const upload = actionById('upload')
  const allowed = upload && canRun(upload, context) && currentPrompt() === null
  if (!allowed || context.route.name !== 'files') return undefined
  return dropTargetAt(target) ?? { element: undefined, folder: context.route.path }
}

/** Handles pasted files and drags of desktop files over the whole window; returns the destination folder. */
function useFileDrops(): FilePath | undefined {
  const [over, setOver] = useState<FilePath>()
  useEffect(() => {
    const stop = new AbortController()
    const on = (type: 'dragenter' | 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      addEventListener(type, event => carriesFiles(event.dataTransfer) && act(event), { signal: stop.signal })
    const show = (target: ReturnType<typeof targetOf>) => {
      markDropTarget(target?.element && !isListing(target.element) ? target.element : undefined)
      setOver(target?.folder)
    }
    const allow = (event: DragEvent) => {
      // Otherwise the browser would leave the page and open the file.
      event.preventDefault()
      // The page of a link takes files itself.
      if (currentContext().route.name === 'share') return
      const target = targetOf(event)
      if (event.dataTransfer) event.dataTransfer.dropEffect = target ? 'copy' : 'none'
      show(target)
    }
    on('dragenter', allow)
    on('dragover', allow)
    on('dragleave', event => {
      if (event.relatedTarget === null) show(undefined)
    })
    on('drop', event => {
      event.preventDefault()
      const target = targetOf(event)
      show(undefined)
      if (!event.dataTransfer || !target) return
      const dropped = takeDrop(event.dataTransfer)
      void launch(
        target.folder,
        loadWalk().then(({ walkDrop }) => walkDrop(dropped)),
      )
    })
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      const folder = files.length > 0 && !isTextField(event.target) && targetOf({ target: null })?.folder
      if (!folder) return
      event.preventDefault()
      void launchPasted(folder, files)
    }
    addEventListener('paste', paste, { signal: stop.signal })
    return () => stop.abort()
  }, [])
  return over
}
