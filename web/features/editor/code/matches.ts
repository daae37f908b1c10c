import type { SearchQuery } from '@codemirror/search'
import type { EditorState } from '@codemirror/state'

/** Limits of counting: matches, and milliseconds. */
const MAX_COUNTED = 1000
const MAX_TIME = 50

export interface Matches {
  count: number
  /** Index of the selected match, from 1; 0 when none is. */
  index: number
  /** Whether counting stopped early. */
  more: boolean
}

/** Counts the matches; `undefined` for an invalid regular expression. */
export function matchesOf(state: EditorState, query: SearchQuery): Matches | undefined {
  const found: Matches = { count: 0, index: 0, more: false }
  if (query.search === '') return found
  if (!query.valid) return undefined
  const { from, to } = state.selection.main
  const end = performance.now() + MAX_TIME
  const cursor = query.getCursor(state)
  for (let match = cursor.next(); !match.done; match = cursor.next()) {
    found.count += 1
    if (match.value.from === from && match.value.to === to) found.index = found.count
    if (found.count < MAX_COUNTED && performance.now() < end) continue
    found.more = true
    break
  }
  return found
}
