import type { Action } from '../../lib/actions.ts'
import { Search } from '../../ui/icons.ts'
import { FolderSearch } from '../../ui/late-icons.ts'
import { openSearch } from './store.ts'

/** Inside the field the browser keeps the key, for its own search. */
const search: Action = {
  id: 'search',
  labelKey: 'search.open',
  icon: Search,
  shortcut: 'Ctrl+F',
  visible: ({ route }) => route.name === 'files' || route.name === 'search',
  run: openSearch,
}

/** Reveals a search result in its folder. */
const reveal: Action = {
  id: 'reveal',
  labelKey: 'search.showInFolder',
  icon: FolderSearch,
  group: 'selection',
  visible: ({ view, selection }) => view?.reveal !== undefined && selection.length === 1,
  run({ view, selection: [item] }) {
    if (item) view?.reveal?.(item)
  },
}

/** The actions on search results, in addition to those of their folder. */
export const foundActions: readonly Action[] = [reveal]

export const searchActions: readonly Action[] = [search]
