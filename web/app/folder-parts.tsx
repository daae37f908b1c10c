import type { FilePath } from '../../shared/path.ts'
import { FolderSizes } from '../features/disk-usage/folder-sizes.tsx'
import FolderReadme from '../features/editor/readme/folder-readme.tsx'
import { StarMarks } from '../features/marks/star-marks.tsx'
import { PrefetchViewer } from './prefetch-viewer.ts'

/** What a folder has besides its listing, loaded after it: the marks of its items, the sizes of its folders, its note, and the viewers of its files. */
export default function FolderParts({ path }: { path: FilePath }) {
  return (
    <>
      <StarMarks folder={path} />
      <FolderSizes folder={path} />
      <FolderReadme path={path} />
      <PrefetchViewer />
    </>
  )
}
