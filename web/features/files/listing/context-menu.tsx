import { useState } from 'react'
import { shownName } from '../../../../shared/bytes.ts'
import { type ActionContext, useActionContext } from '../../../lib/actions.ts'
import { t, useLocale } from '../../../lib/i18n/index.ts'
import Menu from '../../../ui/menu.tsx'
import styles from './listing.module.css'
import { folderEntries, selectionEntries } from './menu-entries.tsx'

export interface ContextMenuProps {
  /** In viewport pixels. */
  x: number
  y: number
  /** The target of the click: one of the selected items, or the folder itself. */
  on: 'selection' | 'folder'
  returnFocus: () => HTMLElement | null
  onClose: () => void
}

/** The context menu, at the place of the click. */
export default function ContextMenu({ x, y, on, returnFocus, onClose }: ContextMenuProps) {
  const [anchor, setAnchor] = useState<HTMLSpanElement | null>(null)
  const context = useActionContext()
  const fromStart = useLocale().dir === 'rtl' ? document.documentElement.clientWidth - x : x
  const entries = on === 'selection' ? selectionEntries(context) : folderEntries(context)
  return (
    <>
      <span ref={setAnchor} className={styles.menuAnchor} style={{ insetInlineStart: fromStart, insetBlockStart: y }} />
      {anchor && (
        <Menu
          label={on === 'selection' ? labelOf(context) : t('files.menu')}
          entries={entries}
          anchor={{ current: anchor }}
          returnFocus={returnFocus}
          align="start"
          atPoint
          onClose={onClose}
        />
      )}
    </>
  )
}

function labelOf({ selection }: ActionContext): string {
  const [item] = selection
  return selection.length === 1 && item ? shownName(item.name) : t('files.selected', { count: selection.length })
}
