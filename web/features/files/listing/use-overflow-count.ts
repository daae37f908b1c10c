import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * How many children of a row fit into it; all of them stay in the document, so that they can be measured.
 * @param reserve CSS pixels to leave free when not all fit
 */
export function useOverflowCount(row: RefObject<HTMLElement | null>, count: number, reserve: number): number {
  const [fit, setFit] = useState(count)
  useLayoutEffect(() => {
    const element = row.current
    if (!element || count === 0) return
    const measure = () => setFit(fitting(element, reserve))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [row, reserve, count])
  return Math.min(fit, count)
}

function fitting(row: HTMLElement, reserve: number): number {
  const widths = [...row.children].map(child => child.getBoundingClientRect().width)
  const room = row.getBoundingClientRect().width
  if (widths.reduce((sum, width) => sum + width, 0) <= room) return widths.length
  let used = 0
  const first = widths.findIndex(width => {
    used += width
    return used > room - reserve
  })
  return Math.max(0, first)
}
