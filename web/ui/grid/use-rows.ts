import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Geometry } from './geometry.ts'
import { setScrolling } from './scrolling.ts'

/** Milliseconds without a scroll event after which scrolling has stopped. */
const STOPPED_AFTER = 150

export interface VisibleRowsProps {
  geometry: Geometry
  headerHeight: number
  /** Free space below the last line, in CSS pixels. */
  footHeight: number
  initialOffset: number
  /** A row kept in the document wherever the window is. */
  focus: number
  onScroll: ((offset: number) => void) | undefined
}

/** The rendered part of a grid. Lengths are CSS pixels. */
export interface VisibleRows {
  /** Ascending. */
  lines: number[]
  /** Of all lines. */
  total: number
  scrolling: boolean
  /** Scrolls by the minimum that shows the whole line. */
  reveal(line: number): void
}

/** State of the scroll container. */
interface Viewport {
  offset: number
  height: number
  scrolling: boolean
}

/**
 * The rendered lines of a grid: those in view, the overscan, and that of the focused row. The window follows from the
 * scroll offset without measuring rows.
 */
export function useRows(props: VisibleRowsProps, scroller: RefObject<HTMLDivElement | null>): VisibleRows {
  const { geometry, headerHeight, footHeight, initialOffset, focus } = props
  // Until the element is measured: rows are there in the very first rendering, ready to take the focus.
  const [seen, setSeen] = useState<Viewport>({ offset: initialOffset, height: innerHeight, scrolling: false })
  useScrolling(scroller, initialOffset, setSeen, props.onScroll)
  useNewGeometry(scroller, geometry)
  const pinned = focus < geometry.count ? geometry.lineOf(focus) : -1
  return {
    lines: withPinned(windowOf(geometry, seen, headerHeight), pinned),
    total: geometry.total + footHeight,
    scrolling: seen.scrolling,
    reveal(line) {
      const element = scroller.current
      if (!element) return
      const top = geometry.topOf(line)
      const end = top + geometry.heightOf(line)
      const room = element.clientHeight - headerHeight - footHeight
      const { covered = 0 } = geometry
      if (top < element.scrollTop + covered) element.scrollTop = top - (covered || geometry.topOf(0))
      else if (end > element.scrollTop + room) element.scrollTop = end - room
    },
  }
}

function windowOf(geometry: Geometry, { offset, height }: Viewport, headerHeight: number): number[] {
  const { lines, overscan } = geometry
  const first = Math.max(0, geometry.lineAt(offset) - overscan)
  const end = Math.min(lines, geometry.lineAt(offset + height - headerHeight) + 1 + overscan)
  return Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at)
}

/** Tracks the scroll offset and the height of the element. */
function useScrolling(
  scroller: RefObject<HTMLDivElement | null>,
  initialOffset: number,
  setSeen: (change: (now: Viewport) => Viewport) => void,
  onScroll: VisibleRowsProps['onScroll'],
): void {
  const reportScroll = useEffectEvent((offset: number) => onScroll?.(offset))
  const start = useRef(initialOffset)
  useLayoutEffect(() => {
    if (scroller.current && start.current > 0) scroller.current.scrollTop = start.current
  }, [scroller])
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => setSeen(now => ({ ...now, height: element.clientHeight }))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, setSeen])
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const move = (offset: number, scrolling: boolean) => {
      setScrolling(scrolling)
      setSeen(now => ({ ...now, offset, scrolling }))
    }
    const follow = () => {
      clearTimeout(timer)
      timer = setTimeout(() => move(element.scrollTop, false), STOPPED_AFTER)
      // Read once, before any change: later reads would force a layout of all rows.
      const offset = element.scrollTop
      // Synchronous: the browser would otherwise paint blank space first.
      flushSync(() => move(offset, true))
      reportScroll(offset)
    }
    element.addEventListener('scroll', follow, { passive: true })
    return () => {
      clearTimeout(timer)
      setScrolling(false)
      element.removeEventListener('scroll', follow)
    }
  }, [scroller, setSeen])
}

/** Another density, view, width or arrangement: the first line in view stays where it is. */
function useNewGeometry(scroller: RefObject<HTMLDivElement | null>, geometry: Geometry): void {
  const last = useRef(geometry)
  useLayoutEffect(() => {
    const before = last.current
    last.current = geometry
    const element = scroller.current
    if (!element || before === geometry || element.scrollTop <= before.topOf(0) || geometry.count === 0) return
    const from = before.lineAt(element.scrollTop)
    const to = geometry.lineOf(Math.min(before.rowsOf(from)[0], geometry.count - 1))
    const hidden = (element.scrollTop - before.topOf(from)) / before.heightOf(from)
    const top = geometry.topOf(to) + hidden * geometry.heightOf(to)
    if (Math.abs(top - element.scrollTop) >= 1) element.scrollTop = top
  }, [scroller, geometry])
}

/** Inserts the focused row's line at its position. */
function withPinned(lines: number[], pinned: number): number[] {
  if (pinned < 0) return lines
  const at = lines.findIndex(line => line >= pinned)
  if (lines[at] === pinned) return lines
  return at < 0 ? [...lines, pinned] : [...lines.slice(0, at), pinned, ...lines.slice(at)]
}
