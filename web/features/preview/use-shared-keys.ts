import { useViewerKeys } from '../../lib/viewer-commands.ts'
import { previewActions } from './actions.ts'

/** Actions that the page of a public share binds itself, or does not have. */
const OTHERS = new Set(['preview.next', 'preview.previous', 'preview.fullscreen', 'preview.slideshow', 'preview.close'])
const KEYS = previewActions.filter(({ id }) => !OTHERS.has(id))

/** The keys of a viewer in a public share, where no preview shell binds them. */
export function useSharedKeys(shared: boolean): void {
  useViewerKeys(shared ? KEYS : [], {})
}
