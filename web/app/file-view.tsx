import type { FileResource } from '../../shared/api/resources.ts'
import { useNoteOpened } from '../features/marks/use-note-opened.ts'
import PreviewShell from '../features/preview/preview-shell.tsx'
import { slideshowStore } from '../features/preview/slideshow/store.ts'
import type { ShownAs } from '../lib/router.tsx'
import { useStore } from '../lib/store.ts'
import { VIEWERS } from './viewers.ts'

interface FileViewProps {
  file: FileResource
  /** The requested view, if any. */
  as: ShownAs | undefined
  onClose: () => void
}

/** The viewer of a file. */
export default function FileView({ file, as, onClose }: FileViewProps) {
  // What a slideshow shows was not opened.
  useNoteOpened(useStore(slideshowStore) ? undefined : file.path)
  const viewer = VIEWERS.find(candidate => candidate.accepts(file, as))
  if (!viewer) return null
  const content = <viewer.component key={file.path} resource={file} onClose={onClose} />
  return viewer.framed ? (
    <PreviewShell resource={file} paper={viewer.paper} onClose={onClose}>
      {content}
    </PreviewShell>
  ) : (
    content
  )
}
