import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import type { FileResource, Resource } from '../../shared/api/resources.ts'
import type { FilePath } from '../../shared/path.ts'
import { DetailsSlot } from '../features/files/details/slot.tsx'
import FolderView from '../features/files/listing.tsx'
import { t } from '../lib/i18n/index.ts'
import { fetchResource } from '../lib/resource.ts'
import { filesUrl, navigate } from '../lib/router.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { FailurePage } from './errors/pages.tsx'
import { VIEWERS } from './viewers.ts'

/** `/files/*`: a folder's listing or a file's viewer (specification section 2). */
export function FilesScreen({ path, folderHint }: { path: FilePath; folderHint: boolean }) {
  if (!folderHint) return <FileScreen path={path} />
  return (
    <DetailsSlot>
      <FolderView path={path} />
    </DetailsSlot>
  )
}

function FileScreen({ path }: { path: string }) {
  const query = useQuery({
    queryKey: ['file', path],
    queryFn: ({ signal }) => fetchResource(path, false, signal),
  })
  const isFolder = query.data?.isDir ?? false
  useEffect(() => {
    if (isFolder) void navigate(filesUrl(path, true), { replace: true })
  }, [isFolder, path])
  if (query.error) return <FailurePage error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data || isFolder) return <Spinner label={t('common.loading')} />
  return <FileView resource={query.data} />
}

function FileView({ resource }: { resource: Resource }) {
  const file: FileResource = resource
  const viewer = VIEWERS.find(candidate => candidate.accepts(file))
  if (!viewer) return null
  return (
    <Suspense fallback={<Spinner label={t('common.loading')} />}>
      <viewer.component resource={file} />
    </Suspense>
  )
}
