import { type RefObject, useLayoutEffect, useRef } from 'react'
import { focusRowElement } from './dom.ts'

/** What the real focus does with the next change of the focused row: stays, follows, follows and scrolls there. */
export type FocusWish = 'none' | 'focus' | 'reveal'

/**
 * Moves the real focus after the focused row changed by key or click, and brings it back when the row that had it was
 * taken away. Answers the wish to set before changing the state.
 */
export function useFocusFollower(
  grid: RefObject<HTMLElement | null>,
  focus: number,
  reveal: (index: number) => void,
): RefObject<FocusWish> {
  const wish = useRef<FocusWish>('none')
  const inside = useRef(false)
  useLayoutEffect(() => {
    const element = grid.current
    if (!element) return
    const enter = () => {
      inside.current = true
    }
    // Without a related target the row was removed or the window lost the focus; in both cases it comes back here.
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !element.contains(relatedTarget)) inside.current = false
    }
    element.addEventListener('focusin', enter)
    element.addEventListener('focusout', leave)
    return () => {
      element.removeEventListener('focusin', enter)
      element.removeEventListener('focusout', leave)
    }
  }, [grid])
  const last = useRef(focus)
  // Runs after every render on purpose: the row that had the focus may have gone in any of them.
  useLayoutEffect(() => {
    const how = wish.current
    wish.current = 'none'
    // The rows were sorted anew, or some have come or gone: the focused one stands somewhere else now.
    const moved = last.current !== focus && (grid.current?.contains(document.activeElement) ?? false)
    last.current = focus
    const lost = inside.current && document.activeElement === document.body
    if (how === 'none' && !lost && !moved) return
    if (how === 'reveal') reveal(focus)
    focusRowElement(grid.current, focus)
  })
  return wish
}
