import { allActions, canRun, useActionContext } from '../../lib/actions.ts'
import { t } from '../../lib/i18n/index.ts'
import { actionEntries } from '../../ui/action-entries.tsx'
import { Plus } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'

/** The actions that create items, in one menu. Renders nothing without the permission. */
export function NewMenu({ showText, className }: { showText: boolean; className?: string | undefined }) {
  const context = useActionContext()
  const actions = allActions().filter(action => action.group === 'create' && action.visible(context))
  if (actions.length === 0) return null
  const entries = actionEntries(actions, context)
  const text = showText ? { text: t('nav.new') } : {}
  const disabled = !actions.some(action => canRun(action, context))
  return (
    <MenuButton label={t('nav.new')} entries={entries} className={className} disabled={disabled} {...text}>
      <Plus size={18} aria-hidden />
    </MenuButton>
  )
}
