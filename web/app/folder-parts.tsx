import type { FilePath } from '../../shared/path.ts'
import FolderReadme from '../features/editor/readme/folder-readme.tsx'
import { StarMarks } from '../features/marks/star-marks.tsx'

/** What a folder has besides its listing, loaded after it: the marks of its items, and its note. */
export default function FolderParts({ path }: { path: FilePath }) {
  return (
    <>
      <StarMarks folder={path} />
      <FolderReadme path={path} />
    </>
  )
}
