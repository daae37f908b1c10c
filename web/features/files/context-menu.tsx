import { useState } from 'react'
import { allActions, canRun, runAction, useActionContext } from '../../lib/actions.ts'
import { t } from '../../lib/i18n/index.ts'
import Menu from '../../ui/menu.tsx'
import styles from './listing.module.css'

export interface ContextMenuProps {
  /** In the viewport's pixels. */
  x: number
  y: number
  /** What is under the pointer: one of the selected things, or the folder itself. */
  on: 'selection' | 'folder'
  returnFocus: () => HTMLElement | null
  onClose: () => void
}

/** The actions for what was clicked on, at the place of the click. */
export default function ContextMenu({ x, y, on, returnFocus, onClose }: ContextMenuProps) {
  const [anchor, setAnchor] = useState<HTMLSpanElement | null>(null)
  const context = useActionContext()
  const groups = on === 'selection' ? ['selection'] : ['create', 'folder']
  const actions = groups.flatMap(group =>
    allActions().filter(action => action.group === group && action.visible(context)),
  )
  const entries = actions.map((action, index) => ({
    id: action.id,
    label: t(action.labelKey),
    icon: <action.icon size={18} aria-hidden />,
    ...(action.shortcut ? { keys: action.shortcut } : {}),
    disabled: !canRun(action, context),
    danger: action.danger ?? false,
    separated: index > 0 && action.group !== actions[index - 1]?.group,
    run: () => void runAction(action),
  }))
  return (
    <>
      <span ref={setAnchor} className={styles.menuAnchor} style={{ left: x, top: y }} />
      {anchor && (
        <Menu
          label={t('files.menu')}
          entries={entries}
          anchor={{ current: anchor }}
          returnFocus={returnFocus}
          align="start"
          onClose={onClose}
        />
      )}
    </>
  )
}
