import { Suspense, useCallback, useEffect, useRef } from 'react'
import { type FilePath, nameOf, parentOf } from '../../shared/path.ts'
import { DetailsSlot } from '../features/files/details/slot.tsx'
import { requestFocus } from '../features/files/items/focus-request.ts'
import { setQuickLook } from '../features/files/items/quick-look.ts'
import { DeferThumbs } from '../features/files/items/thumb.tsx'
import { ExplainAccessButton } from '../features/files/listing/empty-states.tsx'
import FolderView from '../features/files/listing/listing.tsx'
import { PaneSlot } from '../features/files/panes/slot.tsx'
import { t } from '../lib/i18n/index.ts'
import { lazyPart, lazyTool } from '../lib/lazy.ts'
import { takeReturn } from '../lib/return.ts'
import { filesUrl, navigate, type ShownAs, usePlace } from '../lib/router.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { FailurePage } from './errors/pages.tsx'
import styles from './files-screen.module.css'
import { useOpenedFile } from './use-opened-file.ts'

const FolderParts = lazyPart(() => import('./folder-parts.tsx'))
const FileView = lazyTool(() => import('./file-view.tsx'))

interface FilesScreenProps {
  path: FilePath
  folderHint: boolean
  /** The requested view of the file, if any. */
  as: ShownAs | undefined
}

/**
 * `/files/*`: a folder's listing, and above it the viewer of one of its files. The listing stays mounted below the
 * viewer.
 */
export function FilesScreen({ path, folderHint, as }: FilesScreenProps) {
  const { file, isListed, isFolder, error, retry } = useOpenedFile(path, !folderHint)
  const close = useCloseViewer(path, folderHint)
  useEffect(() => {
    if (isFolder) void navigate(filesUrl(path, true), { replace: true })
  }, [isFolder, path])
  if (!folderHint && error) {
    return (
      <FailurePage error={error} onRetry={retry}>
        <ExplainAccessButton error={error} path={path} />
      </FailurePage>
    )
  }
  if (!folderHint && !file && !isListed) return <Spinner label={t('common.loading')} onRetry={retry} />
  const folder = folderHint ? path : parentOf(path)
  return (
    <>
      <DeferThumbs value={!folderHint}>
        <DetailsSlot>
          <PaneSlot path={folder}>
            <FolderView path={folder} below={FolderParts} />
          </PaneSlot>
        </DetailsSlot>
      </DeferThumbs>
      {!folderHint && (
        <Suspense fallback={<Opening />}>
          {file ? <FileView file={file} as={as} onClose={close} /> : <Opening onRetry={retry} />}
        </Suspense>
      )}
    </>
  )
}

/** Above the listing, while the file or its viewer loads. */
function Opening({ onRetry }: { onRetry?: () => void }) {
  return (
    <div className={styles.opening}>
      <Spinner label={t('common.loading')} {...(onRetry && { onRetry })} />
    </div>
  )
}

/**
 * Closes an overlay over a listing: back to where it was opened if that is in the history, else to the folder. The row
 * of the last viewed item gets the focus. @returns the close function
 */
function useCloseViewer(path: FilePath, isListing: boolean): () => void {
  const { arrival } = usePlace()
  const folder = isListing ? path : parentOf(path)
  const under = useRef<{ folder: FilePath; file: FilePath | undefined; opened: boolean }>(undefined)
  useEffect(() => {
    const before = under.current
    const same = before?.folder === folder
    if (isListing) {
      setQuickLook(false)
      if (same && before.file !== undefined) requestFocus(folder, nameOf(before.file), false)
      under.current = { folder, file: undefined, opened: false }
    } else {
      const fromListing = same && before.file === undefined && arrival === 'push'
      const fromPage = before === undefined && arrival === 'push' && takeReturn(path)
      under.current = {
        folder,
        file: path,
        opened: fromListing || fromPage || (same && before.opened && arrival === 'replace'),
      }
    }
  }, [folder, path, isListing, arrival])
  return useCallback(() => {
    if (under.current?.opened) history.back()
    else void navigate(filesUrl(folder, true), { replace: true })
  }, [folder])
}
