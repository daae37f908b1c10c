import { type RefObject, useLayoutEffect, useRef } from 'react'
import { focusRowElement } from './dom.ts'

/** What the DOM focus does on the next change of the focused row: stay, follow, or follow and scroll. */
export type FocusMove = 'none' | 'focus' | 'reveal'

/**
 * Moves the DOM focus after the focused row changed by key or click, and restores it when its row was removed. Returns
 * a ref to set before changing the state.
 */
export function useFocusFollower(
  grid: RefObject<HTMLElement | null>,
  focus: number,
  reveal: (index: number) => void,
): RefObject<FocusMove> {
  const move = useRef<FocusMove>('none')
  const inside = useRef(false)
  useLayoutEffect(() => {
    const element = grid.current
    if (!element) return
    const enter = () => {
      inside.current = true
    }
    // Without a related target the row was removed or the window lost the focus; in both cases the focus returns here.
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
  // Runs after every render on purpose: any of them may have removed the focused row.
  useLayoutEffect(() => {
    const how = move.current
    move.current = 'none'
    // The rows were sorted, added or removed: the focused one has moved.
    const active = document.activeElement
    const moved = last.current !== focus && !active?.closest('[data-over]') && (grid.current?.contains(active) ?? false)
    last.current = focus
    const lost = inside.current && document.activeElement === document.body
    if (how === 'none' && !lost && !moved) return
    if (how === 'reveal') reveal(focus)
    focusRowElement(grid.current, focus)
  })
  return move
}
