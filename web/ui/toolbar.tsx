import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'

export interface ToolbarProps {
  /** Accessible name. */
  label: string
  className?: string | undefined
  /** Along the lower edge of the screen, which cards then keep free. */
  atBottom?: boolean
  children: ReactNode
}

/** A toolbar after the ARIA Authoring Practices' pattern: one tab stop, arrows inside. */
export function Toolbar({ label, className, atBottom = false, children }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null)
  // After every render: a button may have been added or removed.
  useEffect(() => rove(bar.current, buttonsOf(bar.current)[0], false))
  return (
    <div
      ref={bar}
      className={className}
      role="toolbar"
      aria-label={label}
      data-bottom-bar={atBottom || undefined}
      onKeyDown={onKey}
    >
      {children}
    </div>
  )
}

/** The usable buttons, without those rendered only for measuring. */
function buttonsOf(bar: HTMLElement | null): HTMLButtonElement[] {
  return bar ? [...bar.querySelectorAll<HTMLButtonElement>('button:not([data-hidden])')] : []
}

/** Puts one button into the tab order. */
function rove(bar: HTMLElement | null, to: HTMLButtonElement | undefined, focus: boolean): void {
  if (!bar || !to) return
  const buttons = buttonsOf(bar)
  const current = focus ? to : (buttons.find(button => button === document.activeElement) ?? to)
  for (const button of buttons) button.tabIndex = button === current ? 0 : -1
  if (focus) to.focus()
}

function onKey(event: KeyboardEvent<HTMLElement>): void {
  const bar = event.currentTarget
  const buttons = buttonsOf(bar)
  // Menus opened from here handle their own keys.
  if (!buttons.some(button => button === event.target)) return
  const forward = getComputedStyle(bar).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const target = targetOf(event.key, forward, buttons)
  if (target === undefined) return
  event.preventDefault()
  rove(bar, buttons.at(target), true)
}

function targetOf(key: string, forward: string, buttons: readonly Element[]): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return -1
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined
  const at = document.activeElement ? buttons.indexOf(document.activeElement) : -1
  return (at + (key === forward ? 1 : -1)) % buttons.length
}
