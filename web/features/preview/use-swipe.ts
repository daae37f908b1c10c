import { type PointerEvent, useRef } from 'react'

/** CSS pixels of travel that count as a swipe. */
const DISTANCE = 60
/** Minimum ratio between the distances along and across. */
const STRAIGHT = 1.5
/** Height of a player's controls, in CSS pixels, where fingers seek. */
const CONTROLS = 80

interface Swipes {
  onStart: () => void
  onEnd: () => void
  onDown: () => void
}

/** One-finger swipes: towards the inline start or end, or down. A zoomed image pans instead. */
export function useSwipe({ onStart, onEnd, onDown }: Swipes) {
  const from = useRef<{ id: number; x: number; y: number }>(undefined)
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const several = from.current !== undefined || !event.isPrimary
    from.current = several || !mayBegin(event) ? undefined : { id: event.pointerId, x: event.clientX, y: event.clientY }
  }
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const start = from.current
    from.current = undefined
    if (start?.id !== event.pointerId) return
    const right = event.clientX - start.x
    const down = event.clientY - start.y
    if (down > DISTANCE && down > Math.abs(right) * STRAIGHT) return onDown()
    if (Math.abs(right) < DISTANCE || Math.abs(right) < Math.abs(down) * STRAIGHT) return
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    if (right > 0 === rtl) onStart()
    else onEnd()
  }
  const onPointerCancel = () => {
    from.current = undefined
  }
  return { onPointerDown, onPointerUp, onPointerCancel }
}

function mayBegin({ pointerType, target, clientY }: PointerEvent<HTMLElement>): boolean {
  if (pointerType !== 'touch' || !(target instanceof Element)) return false
  if (target.closest('[data-zoomed], button, a, audio')) return false
  const player = target.closest('video')
  return !player || clientY < player.getBoundingClientRect().bottom - CONTROLS
}
