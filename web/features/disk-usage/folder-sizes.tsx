import { useEffect } from 'react'
import { type FilePath, trustedChild } from '../../../shared/path.ts'
import { lazyTool } from '../../lib/lazy.ts'
import { useWindowClass } from '../../lib/media.ts'
import { hashKey, queryClient, useQuery } from '../../lib/query.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { folderKey, folderQuery, isFolder } from '../files/api/list.ts'
import { folderSizesStore } from '../files/items/folder-sizes.ts'
import { useColumns } from '../files/listing/columns.ts'
import { useViewMode } from '../files/listing/preferences.ts'
import { sizesQuery, useSizes } from './query.ts'

const SizesHint = lazyTool(() => import('./sizes-hint.tsx'))

/** Milliseconds between two requests while the index is being built. */
const POLL_INTERVAL = 15_000

/** Keeps the sizes of the folders in the folder on the screen current, where they are shown. */
export function FolderSizes({ folder }: { folder: FilePath }) {
  const { data } = useQuery({ ...folderQuery(folder), enabled: false })
  const hasFolders = data !== undefined && isFolder(data) && data.numDirs > 0
  const list = useViewMode(folder) === 'list'
  const { shown } = useColumns()
  const wide = useWindowClass() !== 'narrow'
  return hasFolders && list && wide && shown.includes('size') ? <KnownSizes key={folder} folder={folder} /> : null
}

function KnownSizes({ folder }: { folder: FilePath }) {
  const { data } = useSizes(folder, 'folders', POLL_INTERVAL)
  useEffect(() => {
    // While the index catches up, the sizes of a moment ago stay.
    if (data && data.state !== 'partial')
      folderSizesStore.set(new Map(data.items.map(({ name, bytes }) => [trustedChild(folder, name), bytes])))
  }, [data, folder])
  useEffect(() => () => folderSizesStore.set(new Map()), [])
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe(({ type, query, ...event }) => {
        const isLoaded =
          type === 'updated' && 'action' in event && event.action.type === 'success' && !event.action.manual
        if (!isLoaded || query.queryHash !== hashKey(folderKey(folder))) return
        void queryClient.invalidateQueries({ queryKey: sizesQuery(folder, 'folders').queryKey })
      }),
    [folder],
  )
  return (
    data?.state === 'none' && (
      <LazyBoundary>
        <SizesHint />
      </LazyBoundary>
    )
  )
}
