import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useWidth } from '../../../ui/grid/use-width.ts'
import type { Place } from './destination.ts'
import { GAP, type Layout, layOut, offsetOf, pageAt, placeAt } from './layout.ts'
import type { PageSize, Pdf } from './use-pdf.ts'

/** CSS pixels; the initial zoom does not exceed this width. */
const WIDEST = 1000
const ZOOM_STEP = 1.25
const SMALLEST = 0.1
const LARGEST = 8

export interface Pages {
  /** The scroll container. */
  scroller: RefObject<HTMLDivElement | null>
  layout: Layout
  /** Whether it scrolls sideways. */
  isWide: boolean
  /** CSS pixels per unit of the document. */
  scale: number
  /** The current page, and the rendered ones, from 1. */
  page: number
  first: number
  last: number
  sizeOf(page: number): PageSize
  onSize(page: number, size: PageSize): void
  goTo(place: Place): void
  zoomIn(): void
  zoomOut(): void
  fit(): void
}

/** Stacked pages, of which only those in view and their neighbours are rendered. */
export function usePages({ document: { numPages }, first }: Pdf): Pages {
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const [zoom, setZoom] = useState(1)
  const [sizes, setSizes] = useState<ReadonlyMap<number, PageSize>>(new Map())
  const [span, setSpan] = useState({ page: 1, first: 1, last: 1 })
  const fitting = Math.max(SMALLEST, Math.min(WIDEST, width - 2 * GAP) / first.width)
  const scale = Math.min(LARGEST, Math.max(SMALLEST, fitting * zoom))
  const layout = useMemo(() => layOut(numPages, first, sizes, scale), [numPages, first, sizes, scale])
  /** The place at the upper edge; stays there when page sizes turn out different. */
  const anchor = useRef<Place>({ page: 1, share: 0 })

  const look = useEffectEvent(() => {
    const element = scroller.current
    if (!element) return
    const { scrollTop, clientHeight } = element
    const now = {
      page: pageAt(layout, scrollTop + clientHeight / 3),
      first: Math.max(1, pageAt(layout, scrollTop - clientHeight / 2)),
      last: Math.min(numPages, pageAt(layout, scrollTop + clientHeight * 1.5)),
    }
    setSpan(before => (isSame(before, now) ? before : now))
  })
  const onScroll = useEffectEvent(() => {
    anchor.current = placeAt(layout, scroller.current?.scrollTop ?? 0)
    look()
  })
  const goTo = (to: Place, among = layout) => {
    anchor.current = to
    if (scroller.current) scroller.current.scrollTop = to.page === 1 && to.share === 0 ? 0 : offsetOf(among, to)
  }
  const keepPlace = useEffectEvent((among: Layout) => {
    goTo(anchor.current, among)
    look()
  })
  useLayoutEffect(() => keepPlace(layout), [layout])
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const scroll = () => onScroll()
    element.addEventListener('scroll', scroll, { passive: true })
    const observer = new ResizeObserver(() => look())
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', scroll)
      observer.disconnect()
    }
  }, [])
  const zoomBy = (factor: number) => setZoom(Math.min(LARGEST, Math.max(SMALLEST, scale * factor)) / fitting)
  return {
    scroller,
    layout,
    isWide: layout.width > width + 1,
    scale,
    ...span,
    sizeOf: page => sizes.get(page) ?? first,
    onSize: (page, size) =>
      setSizes(known => (isKnown(known.get(page) ?? first, size) ? known : new Map(known).set(page, size))),
    goTo,
    zoomIn: () => zoomBy(ZOOM_STEP),
    zoomOut: () => zoomBy(1 / ZOOM_STEP),
    fit: () => setZoom(1),
  }
}

type Span = Pick<Pages, 'page' | 'first' | 'last'>

const isSame = (a: Span, b: Span): boolean => a.page === b.page && a.first === b.first && a.last === b.last
const isKnown = (a: PageSize, b: PageSize): boolean => a.width === b.width && a.height === b.height
