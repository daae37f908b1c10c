import { type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { type FollowedSwipe, followFinger, leave, putBack, springBack, swipeWay } from './swipe.ts'

/** CSS pixels of travel that count as a swipe. */
const DISTANCE = 60
/** CSS pixels after which the direction of a swipe is settled. */
const SLOP = 8
/** Height of a player's controls, in CSS pixels, where fingers seek. */
const CONTROLS = 80

interface Swipes {
  /** Absent where there is no file in that direction. */
  onStart?: (() => void) | undefined
  onEnd?: (() => void) | undefined
  onDown: () => void
}

/**
 * One-finger swipes: towards the inline start or end, or down. The file follows the finger, and returns where it does
 * not leave. A zoomed image pans instead.
 * @param area the element whose children follow
 * @param path of the shown file
 * @returns the direction of a swipe under way, for the neighbour that comes in, and the handlers
 */
export function useSwipe(area: RefObject<HTMLElement | null>, path: string, { onStart, onEnd, onDown }: Swipes) {
  const from = useRef<FollowedSwipe>(undefined)
  const [towards, setTowards] = useState<'start' | 'end'>()
  const acts = { start: onStart, end: onEnd, down: onDown }
  // Another file has its place in the middle.
  useLayoutEffect(() => {
    putBack(area.current)
    setTowards(undefined)
  }, [area, path])
  const stop = () => {
    if (from.current?.way) springBack(area.current, () => setTowards(undefined))
    from.current = undefined
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const several = from.current !== undefined || !event.isPrimary
    stop()
    const isSettling = area.current?.dataset.swipe !== undefined
    if (!several && !isSettling && mayBegin(event))
      from.current = { id: event.pointerId, x: event.clientX, y: event.clientY }
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const swipe = from.current
    if (swipe?.id !== event.pointerId) return
    const [right, down] = [event.clientX - swipe.x, event.clientY - swipe.y]
    if (!swipe.way && Math.hypot(right, down) >= SLOP) swipe.way = swipeWay(right, down, isRtl(event))
    if (!swipe.way) return
    if (swipe.way !== 'down') setTowards(swipe.way)
    followFinger(area.current, swipe.way, { right, down }, acts[swipe.way] !== undefined)
  }
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const swipe = from.current
    if (swipe?.id !== event.pointerId) return
    const [right, down] = [event.clientX - swipe.x, event.clientY - swipe.y]
    const way = swipeWay(right, down, isRtl(event))
    const isFar = Math.max(Math.abs(right), down) >= DISTANCE
    const act = way && way === (swipe.way ?? way) && isFar ? acts[way] : undefined
    if (!act || !way) return stop()
    from.current = undefined
    leave(area.current, way, right, act)
  }
  return { towards, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: stop } }
}

const isRtl = ({ currentTarget }: PointerEvent<HTMLElement>) => getComputedStyle(currentTarget).direction === 'rtl'

function mayBegin({ pointerType, target, clientY }: PointerEvent<HTMLElement>): boolean {
  if (pointerType !== 'touch' || !(target instanceof Element)) return false
  if (target.closest('[data-zoomed], button, a, audio')) return false
  const player = target.closest('video')
  return !player || clientY < player.getBoundingClientRect().bottom - CONTROLS
}
