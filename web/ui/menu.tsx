import { CSPProvider } from '@base-ui/react/csp-provider'
import { Menu as Base } from '@base-ui/react/menu'
import { type RefObject, useState } from 'react'
import { showKeys } from '../lib/keyboard.ts'
import { Check } from './icons.ts'
import styles from './menu.module.css'
import type { MenuEntry } from './menu-entry.ts'
import { layerHome } from './portal.ts'

export interface MenuProps {
  label: string
  entries: readonly MenuEntry[]
  /** What it opens beside, and what gets the focus back. */
  anchor: RefObject<HTMLElement | null>
  /** What gets the focus instead of the anchor. */
  returnFocus?: () => HTMLElement | null
  /** Edge of the anchor the menu is aligned with. */
  align?: 'start' | 'end'
  onClose: () => void
}

/** A menu, open as long as it is mounted. Heavy: reach it through `MenuButton`. */
export default function Menu({ label, entries, anchor, returnFocus, align = 'end', onClose }: MenuProps) {
  // Found once: the menu must not move while it is open.
  const [home] = useState(() => layerHome(anchor.current))
  return (
    <CSPProvider disableStyleElements>
      <Base.Root open onOpenChange={open => !open && onClose()}>
        <Base.Portal container={home}>
          <Base.Positioner
            className={styles.positioner}
            anchor={anchor}
            positionMethod="fixed"
            sideOffset={4}
            align={align}
          >
            <Base.Popup className={styles.popup} aria-label={label} finalFocus={returnFocus ?? anchor}>
              {entries.map(entry => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  const content = (
    <>
      <span className={styles.icon} aria-hidden="true">
        {entry.icon}
      </span>
      <span className={styles.label}>{entry.label}</span>
      {entry.keys && <kbd className={styles.keys}>{showKeys(entry.keys)}</kbd>}
      {entry.checked && <Check size={16} aria-hidden />}
    </>
  )
  const props = {
    className: styles.item,
    disabled: entry.disabled ?? false,
    'data-danger': entry.danger ? '' : undefined,
  }
  return (
    <>
      {entry.separated && <Base.Separator className={styles.separator} />}
      {entry.checked === undefined ? (
        <Base.Item {...props} onClick={entry.run}>
          {content}
        </Base.Item>
      ) : (
        <Base.CheckboxItem {...props} checked={entry.checked} onCheckedChange={entry.run} closeOnClick>
          {content}
        </Base.CheckboxItem>
      )}
    </>
  )
}
