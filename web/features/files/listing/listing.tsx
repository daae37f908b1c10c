import { type ComponentType, type CSSProperties, useCallback, useEffect, useRef, useState } from 'react'
import type { FolderResource } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { type FilePath, nameOf, parsePath } from '../../../../shared/path.ts'
import { useActionContext } from '../../../lib/actions.ts'
import { ApiError } from '../../../lib/api.ts'
import { t, useLocale } from '../../../lib/i18n/index.ts'
import { lazyPart } from '../../../lib/lazy.ts'
import { useCoarsePointer, useWindowClass } from '../../../lib/media.ts'
import { useOnline } from '../../../lib/online.ts'
import { useQuery } from '../../../lib/query.ts'
import { filesUrl, navigate } from '../../../lib/router.tsx'
import { useStore } from '../../../lib/store.ts'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { OfflineBar } from '../../../ui/offline-bar.tsx'
import { firstRowsQuery, folderQuery, isFolder } from '../api/list.ts'
import { isHeld, useUnpasted } from '../operations/clipboard.ts'
import { type Columns, gridTemplate } from './columns.ts'
import { draggingStore } from './drag/drag-store.ts'
import { FolderError, Skeleton } from './empty-states.tsx'
import { FilterField } from './filter/field.tsx'
import { useFilter } from './filter/store.ts'
import { Folder } from './folder.tsx'
import styles from './listing.module.css'
import { LocationBar } from './location-bar.tsx'
import { useStartAtTop } from './use-scroll-restoration.ts'
import { useListColumns, useListingLayout } from './use-view.tsx'

const SelectionBar = lazyPart(() => import('./selection-bar.tsx'))
const PhoneActions = lazyPart(() => import('./phone-actions.tsx'))
const PasteBar = lazyPart(() => import('./paste-bar.tsx'))
const Pull = lazyPart(() => import('./pull-to-refresh.tsx'))

/** Milliseconds the old rows stay, inert, before a skeleton replaces them. */
const KEEP_OLD_ROWS = 150

interface Shown {
  path: FilePath
  folder: FolderResource
}

interface FolderViewProps {
  /** Decoded, without a trailing slash. */
  path: string
  /** Shown below the listing once that is there. */
  below: ComponentType<{ path: FilePath }>
}

/** A folder: location, listing and actions. */
export default function FolderView({ path: text, below: Below }: FolderViewProps) {
  useLocale()
  const path = parsePath(text)
  const query = useQuery(folderQuery(path))
  const compact = useWindowClass() === 'narrow'
  const layout = useListingLayout(path)
  const columns = useListColumns()
  const coarse = useCoarsePointer()
  const list = useRef<HTMLDivElement>(null)
  const resource = query.data
  const notAFolder = resource !== undefined && !isFolder(resource)
  useEffect(() => {
    if (notAFolder) void navigate(filesUrl(path), { replace: true })
  }, [notAFolder, path])

  const unreachable = query.error instanceof ApiError && query.error.status === 0
  const begun = useFirstRows(path, query.isPending || unreachable)
  const loaded = resource && isFolder(resource) ? resource : begun
  const folder = isGone(query.error) ? undefined : loaded
  const pending = query.isPending && !folder
  const shown = useShown(path, folder, pending)
  const { selection } = useActionContext()
  const dragging = useStore(draggingStore)
  const held = useUnpasted()
  const selecting = folder !== undefined && selection.length > 0
  // What is on the clipboard has the paste bar: a pill above it would cover rows.
  const hasPill = !compact && selecting && !(held && isHeld(held, selection))
  const { refetch } = query
  const refresh = useCallback(() => void refetch(), [refetch])
  const failed = query.error && !folder
  const location = <LocationBar path={path} folder={folder} compact={compact} />
  const filtering = useFilter(path) !== undefined
  const online = useOnline()
  const offline = folder !== undefined && (!online || unreachable)
  return (
    <div
      className={styles.view}
      data-compact={compact || undefined}
      data-selecting={selecting || undefined}
      style={compact ? {} : columnStyle(columns)}
    >
      <h1 className="visually-hidden">{shownName(nameOf(path)) || t('files.home')}</h1>
      <div className={styles.head}>
        <LazyBoundary fallback={location}>
          {compact && selecting && !dragging ? <SelectionBar compact /> : location}
        </LazyBoundary>
        {filtering && <FilterField path={path} items={folder?.items} />}
      </div>
      {offline && <OfflineBar />}
      <div
        ref={list}
        className={styles.list}
        data-listing=""
        data-drop={folder && shown?.folder === folder ? path : undefined}
        aria-busy={pending}
        inert={pending && shown !== undefined}
      >
        {query.isFetching && shown && <div className={styles.fetching} aria-hidden="true" />}
        <LazyBoundary>{coarse && <Pull area={list} onRefresh={refresh} />}</LazyBoundary>
        {failed && <FolderError error={query.error} path={path} onRetry={refresh} />}
        {!failed && !shown && <Skeleton layout={layout} onRetry={refresh} />}
        <LazyBoundary fallback={<Skeleton layout={layout} onRetry={refresh} />}>
          {!failed && shown && (
            <Folder
              key={shown.path}
              path={shown.path}
              folder={shown.folder}
              layout={layout}
              stale={shown.folder !== folder}
              onRefresh={refresh}
            />
          )}
        </LazyBoundary>
        <LazyBoundary>{hasPill && !dragging && <SelectionBar isPill />}</LazyBoundary>
      </div>
      <LazyBoundary>{!failed && shown && <Below path={shown.path} />}</LazyBoundary>
      <LazyBoundary>{held && !(compact && selecting) && <PasteBar held={held} path={path} />}</LazyBoundary>
      <LazyBoundary>{compact && selecting && <PhoneActions />}</LazyBoundary>
    </div>
  )
}

/** Whether the folder no longer exists, or is no longer the user's to see: its last rows are not shown. */
const isGone = (error: unknown): boolean => error instanceof ApiError && (error.status === 403 || error.status === 404)

/** The property is read by `--grid-template` of rows and header. */
const columnStyle = (columns: Columns) => ({ '--grid-template': gridTemplate(columns) }) as CSSProperties

/** The first rows of a large folder while the others load, or after they failed to. */
function useFirstRows(path: FilePath, wanted: boolean): FolderResource | undefined {
  const { data } = useQuery({ ...firstRowsQuery(path), enabled: false })
  const atTop = useStartAtTop(path)
  return wanted && atTop ? data : undefined
}

/** What is rendered: the folder once it is loaded, and for a moment the previous one. */
function useShown(path: FilePath, folder: FolderResource | undefined, pending: boolean): Shown | undefined {
  const [last, setLast] = useState<Shown>()
  const [late, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (!pending) return
    const timer = setTimeout(() => setLate(true), KEEP_OLD_ROWS)
    return () => clearTimeout(timer)
  }, [pending])
  if (folder && (last?.folder !== folder || last.path !== path)) {
    const now = { path, folder }
    setLast(now)
    return now
  }
  if (folder) return last
  return pending && !late ? last : undefined
}
