import type { Action } from '../../lib/actions.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { historyUrl, navigate } from '../../lib/router.tsx'
import { History } from '../../ui/icons.ts'

/** Opens the history: in a panel over a listing, elsewhere as a page. */
export const historyAction: Action = {
  id: 'history',
  labelKey: 'nav.history',
  icon: History,
  shortcut: 'Alt+H',
  scope: 'global',
  visible: ({ user, route }) => user !== null && route.name !== 'history',
  run({ route, view }) {
    if (view) openPrompt('history', {})
    else void navigate(historyUrl(route))
  },
}
