import type { Action } from '../../lib/actions.ts'
import { Search } from '../../ui/icons.ts'
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

export const searchActions: readonly Action[] = [search]
