import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { pageConfig } from '../../../lib/config.ts'
import { lazyPart } from '../../../lib/lazy.ts'
import { Glyph } from '../../../ui/glyph.tsx'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'

const FolderCover = lazyPart(() => import('./folder-cover.tsx'))

/** The picture of one of the user's folders: its icon, and pictures in it where the host wants them shown. */
export function FolderPicture({ folder, large = false }: { folder: ResourceItem; large?: boolean }) {
  const icon = <Glyph kind="folder" large={large} />
  if (!pageConfig.FolderCovers || !pageConfig.EnableThumbs) return icon
  return (
    <LazyBoundary fallback={icon}>
      <FolderCover folder={folder} icon={icon} />
    </LazyBoundary>
  )
}
