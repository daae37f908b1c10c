import { useWindowClass } from '../../lib/media.ts'
import { useStore } from '../../lib/store.ts'
import { isMarkdown } from '../files/items/names.ts'
import { type Layout, layoutPreference } from './preferences.ts'

/** Longest text that is rendered, in characters. */
export const MAX_RENDERED = 1_000_000

/** The panes of a text with a preview. */
export interface ShownLayout {
  source: boolean
  rendered: boolean
  /** The setting; `undefined` where there is none. */
  chosen: Layout | undefined
}

/**
 * @param mayEdit read-only text shows the preview alone where both do not fit
 */
export function useLayout(name: string, length: number, mayEdit: boolean): ShownLayout {
  const wanted = useStore(layoutPreference.store)
  const narrow = useWindowClass() === 'narrow'
  if (!isMarkdown(name) || length > MAX_RENDERED) return { source: true, rendered: false, chosen: undefined }
  const chosen = wanted === 'split' && narrow ? (mayEdit ? 'source' : 'rendered') : wanted
  return { source: chosen !== 'rendered', rendered: chosen !== 'source', chosen }
}
