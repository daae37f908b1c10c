import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { DOUBLE_CLICK_WINDOW } from '../../../shared/limits.ts'
import {
  FITTED,
  nextInCycle,
  type Point,
  panBy,
  type Size,
  type StageSize,
  stageSizeOf,
  type View,
  ZOOM_STEP,
  zoomAbout,
} from './zoom.ts'

const CENTRE: Point = { x: 0, y: 0 }
/** CSS pixels a pointer may move within a tap. */
const TAP_SLOP = 10
/** CSS pixels between the two taps of a double tap. */
const TAP_DISTANCE = 30

interface Tap extends Point {
  at: number
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })

/**
 * Zoom and pan of an image: wheel, pinch about the fingers, drag, and double click or tap.
 * @param natural the image's size in its own pixels, once known
 */
export function useZoom(stage: RefObject<HTMLElement | null>, natural: Size | undefined) {
  const [view, setView] = useState<View>(FITTED)
  const stageSize = (): StageSize | undefined => {
    const box = stage.current?.getBoundingClientRect()
    return box && natural && stageSizeOf(box, natural)
  }
  const zoomTo = (scale: (now: number) => number, point: Point = CENTRE) => {
    const on = stageSize()
    if (on) setView(now => zoomAbout(now, scale(now.scale), point, on))
  }
  const pan = (by: Point) => {
    const on = stageSize()
    if (on) setView(now => panBy(now, by, on))
  }
  const pointers = usePointers(stage, { zoomTo, pan })
  useWheel(stage, zoomTo)
  return {
    view,
    pointers,
    zoomTo,
    zoomIn: () => zoomTo(now => now + ZOOM_STEP),
    zoomOut: () => zoomTo(now => now - ZOOM_STEP),
    fit: () => setView(FITTED),
  }
}

type ZoomTo = (scale: (now: number) => number, point?: Point) => void

/** Converts a point of the window to one relative to the centre of the stage. */
function fromMiddle(stage: HTMLElement | null, { x, y }: Point): Point {
  const box = stage?.getBoundingClientRect()
  return box ? { x: x - box.x - box.width / 2, y: y - box.y - box.height / 2 } : CENTRE
}

function usePointers(stage: RefObject<HTMLElement | null>, act: { zoomTo: ZoomTo; pan: (by: Point) => void }) {
  const down = useRef(new Map<number, Point>())
  const start = useRef<Tap>(undefined)
  const lastTap = useRef<Tap>(undefined)
  const pointOf = (event: PointerEvent): Point => ({ x: event.clientX, y: event.clientY })

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    down.current.set(event.pointerId, pointOf(event))
    start.current = down.current.size === 1 ? { ...pointOf(event), at: event.timeStamp } : undefined
  }
  const onPointerMove = (event: PointerEvent) => {
    const before = down.current.get(event.pointerId)
    if (!before) return
    const now = pointOf(event)
    const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1]
    down.current.set(event.pointerId, now)
    if (!other) return act.pan({ x: now.x - before.x, y: now.y - before.y })
    const grown = distance(now, other) / Math.max(1, distance(before, other))
    act.zoomTo(scale => scale * grown, fromMiddle(stage.current, middle(now, other)))
  }
  const onPointerUp = (event: PointerEvent) => {
    down.current.delete(event.pointerId)
    const from = start.current
    start.current = undefined
    if (!from || distance(from, pointOf(event)) > TAP_SLOP) return
    const tap: Tap = { ...pointOf(event), at: event.timeStamp }
    const before = lastTap.current
    const second = before && tap.at - before.at <= DOUBLE_CLICK_WINDOW && distance(tap, before) <= TAP_DISTANCE
    lastTap.current = second ? undefined : tap
    if (second) act.zoomTo(nextInCycle, fromMiddle(stage.current, tap))
  }
  const onPointerCancel = (event: PointerEvent) => {
    down.current.delete(event.pointerId)
    start.current = undefined
  }
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel }
}

/** React's wheel listeners are passive and cannot prevent the page zoom. */
function useWheel(stage: RefObject<HTMLElement | null>, zoomTo: ZoomTo): void {
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    if (event.deltaY === 0) return
    const step = event.deltaY < 0 ? ZOOM_STEP : -ZOOM_STEP
    zoomTo(now => now + step, fromMiddle(stage.current, { x: event.clientX, y: event.clientY }))
  })
  useEffect(() => {
    const element = stage.current
    if (!element) return
    const listen = (event: WheelEvent) => onWheel(event)
    element.addEventListener('wheel', listen, { passive: false })
    return () => element.removeEventListener('wheel', listen)
  }, [stage])
}
