import { type RefObject, useEffect, useRef } from 'react'
import { locationStore } from '../../lib/history.ts'
import { useShortcuts } from '../../lib/keyboard.ts'
import { changeSearch } from './store.ts'

export interface SearchElements {
  box: RefObject<HTMLElement | null>
  input: RefObject<HTMLInputElement | null>
  /** The button that opens the search where there is no field. */
  opener: RefObject<HTMLButtonElement | null>
}

/**
 * Focuses the field when the search opens, and restores the focus when the user closes it. Leaving closes it, too:
 * another address, a click or the focus outside.
 * @returns the close function, and a handler for the focus arriving from `before`
 */
export function useSearchFocus(open: boolean, { box, input, opener }: SearchElements) {
  const origin = useRef<HTMLElement>(null)
  const restoreFocus = useRef(false)
  const close = () => {
    restoreFocus.current = true
    changeSearch({ open: false })
  }
  useEffect(() => {
    if (!open) return
    restoreFocus.current = false
    if (!box.current?.contains(document.activeElement) || document.activeElement === opener.current) {
      input.current?.focus()
      input.current?.select()
    }
    return () => {
      if (restoreFocus.current) returnFocus(origin, { opener, input })
    }
  }, [open, box, input, opener])
  useEffect(() => (open ? closeWhenLeft(box, input) : undefined), [open, box, input])
  const cameFrom = (before: EventTarget | null) => {
    if (before instanceof HTMLElement && !box.current?.contains(before)) origin.current = before
  }
  return { close, cameFrom }
}

/** Elements that open above the search without leaving it: menus, dialogs, notices. */
const ABOVE = '[data-base-ui-portal], [role="dialog"], [role="alertdialog"], [data-notices]'

function closeWhenLeft(box: SearchElements['box'], input: SearchElements['input']): () => void {
  const stop = new AbortController()
  const leave = () => changeSearch({ open: false })
  const isOutside = (target: EventTarget | null) =>
    target instanceof Element && !box.current?.contains(target) && !target.closest(ABOVE)
  addEventListener('pointerdown', event => isOutside(event.target) && leave(), { signal: stop.signal })
  addEventListener('focusin', event => isOutside(event.target) && leave(), { signal: stop.signal })
  const unsubscribe = locationStore.subscribe(() => {
    // A folder takes the focus unless the user is typing.
    input.current?.blur()
    leave()
  })
  return () => {
    stop.abort()
    unsubscribe()
  }
}

/** While open, the search handles the keys; inside its field Ctrl+F is the browser's. */
export function useSearchKeys(close: () => void, input: SearchElements['input']): void {
  const inside = ({ target }: KeyboardEvent) => target instanceof Element && target.closest('search') !== null
  useShortcuts('dialog', [
    { keys: 'Escape', inText: true, run: event => inside(event) && close() },
    { keys: 'Ctrl+F', run: event => inside(event) && input.current?.select() },
  ])
}

function returnFocus(origin: RefObject<HTMLElement | null>, { opener, input }: Omit<SearchElements, 'box'>): void {
  const target = origin.current?.isConnected ? origin.current : opener.current
  if (target) target.focus()
  else input.current?.blur()
}
