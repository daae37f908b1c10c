import { type Action, type ActionContext, canRun, runAction } from '../lib/actions.ts'
import { t } from '../lib/i18n/index.ts'
import type { MenuEntry } from './menu-entry.ts'

/** Actions as menu items; a separator starts each group. */
export function actionEntries(actions: readonly Action[], context: ActionContext): MenuEntry[] {
  return actions.map((action, index) => ({
    id: action.id,
    label: t(action.labelKey),
    icon: <action.icon size={18} aria-hidden />,
    ...(action.shortcut ? { keys: action.shortcut } : {}),
    ...(action.checked ? { checked: action.checked(context) } : {}),
    ...(action.toggles && { toggles: action.toggles }),
    disabled: !canRun(action, context),
    danger: action.danger ?? false,
    separated: index > 0 && startsGroup(action, actions[index - 1]),
    run: () => void runAction(action, context),
  }))
}

function startsGroup({ group, toggles }: Action, before: Action | undefined): boolean {
  return group !== before?.group || toggles !== before?.toggles
}
