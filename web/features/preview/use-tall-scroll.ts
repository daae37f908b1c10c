import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { fittingRows, heightOf, lastTop, offsetOf, type TallGeometry, topAt, topShowing } from './tall-scroll.ts'

export interface TallScroll {
  /** The scroll container. */
  scroller: RefObject<HTMLDivElement | null>
  /** Height of the scrolled content, in CSS pixels. */
  height: number
  /** First row rendered, and their number. */
  top: number
  drawn: number
  /** Rows fully in view. */
  page: number
  width: number
  goTo(top: number): void
  /** Scrolls a row into view. */
  show(row: number): void
}

/**
 * Scrolls any number of rows of equal height, row by row, including more than the maximum height of an element.
 * @param head height of the header above the rows, in CSS pixels
 */
export function useTallScroll(rows: number, rowHeight: number, head: number): TallScroll {
  const scroller = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: innerWidth, height: innerHeight })
  const [top, setTop] = useState(0)
  const geometry: TallGeometry = { rows, rowHeight, room: Math.max(rowHeight, size.height - head) }
  /** Last offset set here: the event that follows is ignored. */
  const placed = useRef(-1)

  const goTo = (wanted: number) => {
    const next = Math.min(lastTop(geometry), Math.max(0, Math.round(wanted)))
    setTop(next)
    if (!scroller.current) return
    scroller.current.scrollTop = offsetOf(next, geometry)
    placed.current = scroller.current.scrollTop
  }
  const onScroll = useEffectEvent(() => {
    const offset = scroller.current?.scrollTop ?? 0
    if (Math.abs(offset - placed.current) < 1) return
    placed.current = -1
    setTop(topAt(offset, geometry))
  })
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (event.ctrlKey || event.deltaY === 0 || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return
    event.preventDefault()
    const step = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 1 : 1 / rowHeight
    goTo(top + Math.sign(event.deltaY) * Math.max(1, Math.round(Math.abs(event.deltaY) * step)))
  })
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const scroll = () => onScroll()
    const wheel = (event: WheelEvent) => onWheel(event)
    element.addEventListener('scroll', scroll, { passive: true })
    // React's wheel listeners are passive and cannot prevent the browser's own scrolling.
    element.addEventListener('wheel', wheel, { passive: false })
    return () => {
      element.removeEventListener('scroll', scroll)
      element.removeEventListener('wheel', wheel)
    }
  }, [])
  const first = Math.min(top, lastTop(geometry))
  return {
    scroller,
    height: heightOf(geometry) + head,
    top: first,
    drawn: Math.max(0, Math.min(rows - first, Math.ceil(geometry.room / rowHeight))),
    page: fittingRows(geometry),
    width: size.width,
    goTo,
    show: row => {
      const wanted = topShowing(row, first, geometry)
      if (wanted !== first) goTo(wanted)
    },
  }
}
