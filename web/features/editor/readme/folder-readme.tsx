import { useMemo } from 'react'
import type { FilePath } from '../../../../shared/path.ts'
import { useUserHere } from '../../../lib/actions.ts'
import { pageConfig } from '../../../lib/config.ts'
import { lazyTool } from '../../../lib/lazy.ts'
import { useQuery } from '../../../lib/query.ts'
import { useStore } from '../../../lib/store.ts'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { folderQuery, isFolder } from '../../files/api/list.ts'
import { readmeOf } from '../../files/items/readme.ts'
import { readmePreference } from '../../files/items/readme-preference.ts'

const Panel = lazyTool(() => import('./panel.tsx'))

/** The note of a folder, if it has one that the user may read. Its code and texts are loaded for the first one. */
export default function FolderReadme({ path }: { path: FilePath }) {
  const { data } = useQuery({ ...folderQuery(path), enabled: false })
  const choice = useStore(readmePreference.store)
  const user = useUserHere()
  const item = useMemo(() => (data && isFolder(data) ? readmeOf(data.items) : undefined), [data])
  if (!item || choice === 'off' || !user?.perm.download || !pageConfig.FolderReadme) return null
  return (
    <LazyBoundary>
      <Panel key={item.path} item={item} isOpen={choice === 'open'} />
    </LazyBoundary>
  )
}
