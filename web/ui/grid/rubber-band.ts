import type { Geometry } from './geometry.ts'
import type { RangeSet } from './range-set.ts'

/** CSS pixels the pointer travels before a press becomes a rubber band. */
const THRESHOLD = 4
/** Height of the auto-scroll zones at the edges, and the most to scroll per frame. */
const EDGE = 32
const FASTEST = 24

export interface BandParts {
  /** The scroll container. */
  grid: HTMLElement
  /** Holds the rows and scrolls with them. */
  body: HTMLElement
  /** The rectangle, initially hidden. */
  band: HTMLElement
  /** Height of the header that covers the top of the grid. */
  headerHeight: number
  geometry: Geometry
  /** Called while the rectangle changes, with the rows it touches and the row under the pointer. */
  onBand: (rows: RangeSet, at: 'first' | 'last') => void
  /** Called after a rectangle has ended; not for a click. */
  onEnd: () => void
}

interface Point {
  /** From the inline start, and from the first line's top. */
  inline: number
  block: number
}

/** Draws a rectangle from a press of the main mouse button on; the rows it touches are computed, not measured. */
export function drawBand(press: PointerEvent, parts: BandParts): void {
  const { grid, body, band, headerHeight, geometry, onBand, onEnd } = parts
  const origin = pointIn(body, press)
  const stop = new AbortController()
  let pointer = press
  let drawing = false
  let frame = 0

  const draw = () => {
    const now = pointIn(body, pointer)
    const box = {
      start: Math.min(origin.inline, now.inline),
      end: Math.max(origin.inline, now.inline),
      top: Math.min(origin.block, now.block),
      bottom: Math.max(origin.block, now.block),
    }
    band.style.insetInlineStart = `${box.start}px`
    band.style.insetBlockStart = `${box.top}px`
    band.style.inlineSize = `${box.end - box.start}px`
    band.style.blockSize = `${box.bottom - box.top}px`
    onBand(geometry.within(box), now.block < origin.block ? 'first' : 'last')
  }
  const scroll = () => {
    const before = grid.scrollTop
    const { top, bottom } = grid.getBoundingClientRect()
    grid.scrollTop += pull(top + headerHeight, bottom, pointer.clientY)
    if (grid.scrollTop !== before) draw()
    frame = requestAnimationFrame(scroll)
  }
  const begin = () => {
    drawing = true
    band.hidden = false
    grid.setPointerCapture(press.pointerId)
    frame = requestAnimationFrame(scroll)
  }
  const move = (event: PointerEvent) => {
    pointer = event
    const far = Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) > THRESHOLD
    if (!drawing && far) begin()
    if (drawing) draw()
  }
  const end = () => {
    stop.abort()
    cancelAnimationFrame(frame)
    band.hidden = true
    if (drawing) onEnd()
  }
  addEventListener('pointermove', move, { signal: stop.signal })
  for (const type of ['pointerup', 'pointercancel', 'blur']) addEventListener(type, end, { signal: stop.signal })
}

function pointIn(body: HTMLElement, { clientX, clientY }: PointerEvent): Point {
  const box = body.getBoundingClientRect()
  const rtl = getComputedStyle(body).direction === 'rtl'
  return { inline: rtl ? box.right - clientX : clientX - box.left, block: clientY - box.top }
}

/** Pixels to scroll in this frame because the pointer is near an edge, or past it. */
function pull(top: number, bottom: number, y: number): number {
  if (y < top + EDGE) return -Math.min(FASTEST, (top + EDGE - y) / 2)
  if (y > bottom - EDGE) return Math.min(FASTEST, (y - bottom + EDGE) / 2)
  return 0
}
