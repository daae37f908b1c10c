import { type FunctionComponent, type ReactNode, useRef, useState } from 'react'
import { lazyPart } from '../lib/lazy.ts'
import { Button, IconButton } from './button.tsx'
import { CancelOnEscape } from './cancel-on-escape.tsx'
import { LazyBoundary } from './lazy-boundary.tsx'
import type { MenuProps } from './menu.tsx'
import type { MenuEntry } from './menu-entry.ts'

const loadMenu = () => import('./menu.tsx')
const Menu = lazyPart(loadMenu)

/** A menu whose entries are loaded with it. */
export interface LaterMenu {
  load: () => Promise<unknown>
  Part: FunctionComponent<Omit<MenuProps, 'entries'>>
}

export interface MenuButtonProps {
  /** Accessible name of button and menu. */
  label: string
  entries?: readonly MenuEntry[]
  /** Instead of `entries`. */
  menu?: LaterMenu
  /** Text on the button; without it the button shows its icon only. */
  text?: string
  className?: string | undefined
  disabled?: boolean
  children: ReactNode
}

/** A button that opens a menu. The menu's code is loaded on hover or focus. */
export function MenuButton({ label, entries = [], menu, text, className, disabled, children }: MenuButtonProps) {
  const anchor = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  // A failure surfaces when the menu is opened.
  const prefetch = () => void (menu?.load ?? loadMenu)().catch(() => undefined)
  const shared = {
    ref: anchor,
    className,
    disabled,
    'aria-haspopup': 'menu' as const,
    'aria-expanded': open,
    onPointerEnter: prefetch,
    onFocus: prefetch,
    onClick: () => setOpen(!open),
    onKeyDown: (event: { key: string; preventDefault(): void }) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      setOpen(true)
    },
  }
  return (
    <>
      {text === undefined ? (
        <IconButton {...shared} label={label}>
          {children}
        </IconButton>
      ) : (
        <Button {...shared} kind="quiet" aria-label={label} icon={children}>
          {text}
        </Button>
      )}
      {open && (
        <LazyBoundary fallback={<CancelOnEscape onEscape={close} />} onMissing={close}>
          {menu ? (
            <menu.Part label={label} anchor={anchor} onClose={close} />
          ) : (
            <Menu label={label} entries={entries} anchor={anchor} onClose={close} />
          )}
        </LazyBoundary>
      )}
    </>
  )
}
