import { type Action, type ActionContext, allActions } from '../../../lib/actions.ts'
import { t } from '../../../lib/i18n/index.ts'
import { isNarrow } from '../../../lib/media.ts'
import { actionEntries } from '../../../ui/action-entries.tsx'
import { ArrowDownUp, LayoutGrid } from '../../../ui/icons.ts'
import type { MenuEntry } from '../../../ui/menu-entry.ts'

/** The available actions of some groups, in list order; destructive ones come last in each group. */
export function actionsOf(context: ActionContext, ...groups: NonNullable<Action['group']>[]): Action[] {
  return groups.flatMap(group => {
    const actions = allActions().filter(action => action.group === group && action.visible(context))
    return actions.toSorted((a, b) => Number(a.danger ?? false) - Number(b.danger ?? false))
  })
}

/** The actions on the selection; destructive ones are set apart. */
export function selectionEntries(context: ActionContext): MenuEntry[] {
  const entries = actionEntries(actionsOf(context, 'selection'), context)
  return entries.map((entry, index) => ({ ...entry, separated: entry.danger === true && !entries[index - 1]?.danger }))
}

/** What other buttons offer: with them, this menu would not fit into windows of 640 px. */
const ELSEWHERE = { newMenu: 'requestFiles', bar: 'filter' }

/** The actions on the folder itself, and its view options. */
export function folderEntries(context: ActionContext): MenuEntry[] {
  const view = actionEntries(actionsOf(context, 'view'), context)
  const sort = actionEntries(actionsOf(context, 'sort'), context)
  const actions = actionsOf(context, 'create', 'folder').filter(
    ({ id }) => id !== ELSEWHERE.newMenu && (id !== ELSEWHERE.bar || isNarrow()),
  )
  return [
    ...actionEntries(actions, context),
    {
      id: 'view',
      label: t('views.view'),
      icon: <LayoutGrid size={18} aria-hidden />,
      separated: true,
      disabled: view.length === 0,
      entries: view,
    },
    {
      id: 'sort',
      label: t('files.sort'),
      icon: <ArrowDownUp size={18} aria-hidden />,
      disabled: sort.length === 0,
      entries: sort,
    },
  ]
}
