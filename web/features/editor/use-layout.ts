import { useWindowClass } from '../../lib/media.ts'
import { useStore } from '../../lib/store.ts'
import { isMarkdown } from '../files/items/names.ts'
import { type Layout, layoutChoice } from './choices.ts'

/** Longest text that is rendered, in letters. */
const MAX_RENDERED = 1_000_000

/** What is shown of a text, and of what it can be rendered to. */
export interface ShownLayout {
  source: boolean
  rendered: boolean
  /** The choice; `undefined` where there is none. */
  chosen: Layout | undefined
}

/** @param mayEdit what can only be read is rendered alone where both do not find room */
export function useLayout(name: string, length: number, mayEdit: boolean): ShownLayout {
  const wanted = useStore(layoutChoice.store)
  const narrow = useWindowClass() === 'narrow'
  if (!isMarkdown(name) || length > MAX_RENDERED) return { source: true, rendered: false, chosen: undefined }
  const chosen = wanted === 'split' && narrow ? (mayEdit ? 'source' : 'rendered') : wanted
  return { source: chosen !== 'rendered', rendered: chosen !== 'source', chosen }
}
