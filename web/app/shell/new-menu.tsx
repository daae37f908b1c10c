import { allActions, canRun, runAction, useActionContext } from '../../lib/actions.ts'
import { t } from '../../lib/i18n/index.ts'
import { Plus } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import type { MenuEntry } from '../../ui/menu-entry.ts'

/** The actions that make something, in one menu. Shows nothing to those who may make nothing. */
export function NewMenu({ showText, className }: { showText: boolean; className?: string | undefined }) {
  const context = useActionContext()
  const actions = allActions().filter(action => action.group === 'create' && action.visible(context))
  if (actions.length === 0) return null
  const entries = actions.map<MenuEntry>(action => ({
    id: action.id,
    label: t(action.labelKey),
    icon: <action.icon size={18} aria-hidden />,
    ...(action.shortcut ? { keys: action.shortcut } : {}),
    disabled: !canRun(action, context),
    run: () => void runAction(action),
  }))
  const text = showText ? { text: t('nav.new') } : {}
  return (
    <MenuButton label={t('nav.new')} entries={entries} className={className} {...text}>
      <Plus size={18} aria-hidden />
    </MenuButton>
  )
}
