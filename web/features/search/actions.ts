import type { Action } from '../../lib/actions.ts'
import { FolderSearch, Search } from '../../ui/icons.ts'
import { openSearch } from './store.ts'

/** Inside the field the key is left to the browser, whose own search it opens there. */
const search: Action = {
  id: 'search',
  labelKey: 'search.open',
  icon: Search,
  shortcut: 'Ctrl+F',
  visible: ({ route }) => route.name === 'files',
  run: openSearch,
}

/** Where something stands that was found. */
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

/** What can be done with what was found, beside everything that can be done in its folder. */
export const foundActions: readonly Action[] = [reveal]

export const searchActions: readonly Action[] = [search]
