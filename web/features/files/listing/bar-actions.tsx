import { type Action, type ActionContext, canRun, reasonAgainst, runAction } from '../../../lib/actions.ts'
import { t } from '../../../lib/i18n/index.ts'
import { actionEntries } from '../../../ui/action-entries.tsx'
import { Ellipsis } from '../../../ui/icons.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { actionsOf } from './menu-entries.tsx'

/** Most used first; actions not listed here follow. */
const FIRST: readonly string[] = ['download', 'share', 'rename', 'move', 'copy', 'delete', 'details']

/** Of several items: on a phone there is room for four buttons. */
const FIRST_OF_MANY: readonly string[] = ['download', 'move', 'copy', 'delete', 'shareSeveral', 'rename', 'details']

const rankIn = (first: readonly string[], { id }: Action): number =>
  first.includes(id) ? first.indexOf(id) : first.length

/** The selection's actions in the bars; opening needs no button. */
export function barActions(context: ActionContext): Action[] {
  const actions = actionsOf(context, 'selection').filter(({ id }) => id !== 'open')
  const first = context.selection.length > 1 ? FIRST_OF_MANY : FIRST
  return actions.toSorted((a, b) => rankIn(first, a) - rankIn(first, b))
}

/** A menu button for the actions that have no button of their own in a bar. */
export function More({ actions, context }: { actions: readonly Action[]; context: ActionContext }) {
  if (actions.length === 0) return null
  return (
    <MenuButton label={t('views.more')} entries={actionEntries(actions, context)}>
      <Ellipsis size={18} aria-hidden />
    </MenuButton>
  )
}

/** Maps an action to a button. */
export function buttonProps(action: Action, context: ActionContext) {
  const reason = reasonAgainst(action, context)
  return {
    ...(reason && { 'data-tip': t(reason) }),
    'data-danger': action.danger || undefined,
    'aria-disabled': !canRun(action, context) || undefined,
    onClick: () => void runAction(action, context),
  }
}
