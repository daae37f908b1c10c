import { useLayerKeys } from '../../lib/use-layer.ts'
import { previewActions } from './actions.ts'

/** What the page of a link has keys of its own for, or no use. */
const OTHERS = new Set(['preview.next', 'preview.previous', 'preview.fullscreen', 'preview.close'])
const KEYS = previewActions.filter(({ id }) => !OTHERS.has(id))

/** The keys of a viewer where there is no frame around it to bind them: behind a link. */
export function useSharedKeys(shared: boolean): void {
  useLayerKeys(shared ? KEYS : [], {})
}
