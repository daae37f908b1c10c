/** The part of a filmstrip in view: from its inline start, in CSS pixels. */
export interface Strip {
  offset: number
  width: number
}

/** Items rendered beyond the edges. */
const BEYOND = 4

/**
 * The items of a filmstrip to render: those in view, some beyond the edges, and the current one, wherever it is.
 * @param size of an item, in CSS pixels
 */
export function stripAround({ offset, width }: Strip, count: number, current: number, size: number): number[] {
  const from = Math.max(0, Math.floor(offset / size) - BEYOND)
  const to = Math.min(count, Math.ceil((offset + width) / size) + BEYOND)
  const shown = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)
  if (current < 0 || current >= count || (current >= from && current < to)) return shown
  return current < from ? [current, ...shown] : [...shown, current]
}
