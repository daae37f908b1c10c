import { useMemo, useState } from 'react'
import type { FileResource, Resource, ResourceItem } from '../../shared/api/resources.ts'
import { type FilePath, nameOf, parentOf } from '../../shared/path.ts'
import { isPending } from '../features/files/api/edit-listing.ts'
import { folderQuery, isFile, isFolder } from '../features/files/api/list.ts'
import { fetchResource } from '../features/files/api/resource.ts'
import { useQuery } from '../lib/query.ts'

/** Types that a listing determines and describes in full (http-api 15.2). */
const CERTAIN = new Set<ResourceItem['type']>(['image', 'audio', 'pdf', 'text'])

/** The file in the address. */
export interface OpenedFile {
  /** `undefined` until the viewer is certain. */
  file: FileResource | undefined
  /** Whether the listing that holds it has loaded. */
  isListed: boolean
  /** The address is that of a folder. */
  isFolder: boolean
  error: Error | null
  retry: () => void
}

/**
 * The file of an address: at once from its folder's listing, if that suffices. Once loaded it stays, even when it is
 * renamed or deleted in the meantime. @param wanted whether the address names a file at all
 */
export function useOpenedFile(path: FilePath, wanted: boolean): OpenedFile {
  const listed = useListed(path, wanted)
  const atOnce = listed && (CERTAIN.has(listed.type) || listed.type === 'video') ? listed : undefined
  const [held, setHeld] = useState<{ path: FilePath; file: FileResource }>()
  const before = held?.path === path ? held.file : undefined
  const query = useQuery({
    queryKey: ['file', path],
    queryFn: ({ signal }) => fetchResource(path, false, signal),
    refetchOnReconnect: true,
    enabled: wanted && !(listed && CERTAIN.has(listed.type)) && !(before && !listed),
  })
  const fetched: Resource | undefined = wanted ? query.data : undefined
  const folder = fetched?.isDir ?? false
  const now = fetched ? (fetched.isDir ? undefined : fetched) : atOnce
  if (now && held?.file !== now) setHeld({ path, file: now })
  const file = now ?? before
  return {
    file,
    isListed: listed !== undefined,
    isFolder: folder,
    error: file ? null : query.error,
    retry: () => void query.refetch(),
  }
}

/** The file from its folder's listing, if that has loaded and the server has confirmed it. */
function useListed(path: FilePath, wanted: boolean): FileResource | undefined {
  const { data } = useQuery({ ...folderQuery(parentOf(path)), enabled: false })
  return useMemo(() => {
    if (!wanted || !data || !isFolder(data)) return undefined
    const name = nameOf(path)
    const item = data.items.find(entry => entry.name === name)
    return item && isFile(item) && !isPending(item) ? item : undefined
  }, [data, path, wanted])
}
