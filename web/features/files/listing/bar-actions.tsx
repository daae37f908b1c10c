import { type Action, type ActionContext, canRun, reasonAgainst, runAction } from '../../../lib/actions.ts'
import { t } from '../../../lib/i18n/index.ts'
import { actionEntries } from '../../../ui/action-entries.tsx'
import { Ellipsis } from '../../../ui/icons.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { actionsOf } from './menu-entries.tsx'

/** Most used first, the same ones for one and for several items; actions not listed here follow. */
const FIRST: readonly string[] = ['download', 'share', 'shareSeveral', 'rename', 'move', 'copy', 'delete', 'details']

/** On a phone there is room for four buttons, the same ones for one and for several items. */
const FIRST_ON_PHONES: readonly string[] = [
  'download',
  'share',
  'shareSeveral',
  'move',
  'delete',
  'rename',
  'copy',
  'details',
]

const rankIn = (first: readonly string[], { id }: Action): number =>
  first.includes(id) ? first.indexOf(id) : first.length

/** The selection's actions in the bar; opening needs no button. */
export function barActions(context: ActionContext): Action[] {
  return inOrder(context, FIRST)
}

/** The same ones in the bar of a phone. */
export function phoneActions(context: ActionContext): Action[] {
  return inOrder(context, FIRST_ON_PHONES)
}

function inOrder(context: ActionContext, first: readonly string[]): Action[] {
  const actions = actionsOf(context, 'selection').filter(({ id }) => id !== 'open')
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
