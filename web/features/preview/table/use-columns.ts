import { useEffect, useState } from 'react'
import type { TallScroll } from '../use-tall-scroll.ts'
import { columnsIn } from './columns.ts'

/** Overscan in CSS pixels. */
const BESIDE = 200

/** The columns in view. @param numbers width of the row numbers, in CSS pixels */
export function useColumns({ scroller, width }: TallScroll, starts: Float64Array, numbers: number) {
  const [offset, setOffset] = useState(0)
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    // Negative where columns run right to left.
    const read = () => setOffset(Math.abs(element.scrollLeft))
    element.addEventListener('scroll', read, { passive: true })
    return () => element.removeEventListener('scroll', read)
  }, [scroller])
  const { first, end } = columnsIn(starts, offset - BESIDE, offset + width + BESIDE)
  return {
    first,
    end,
    /** Scrolls a column into view. */
    show(column: number) {
      const element = scroller.current
      if (!element) return
      const from = starts[column] ?? 0
      const to = starts[column + 1] ?? from
      const room = width - numbers
      const wanted = from < offset ? from : Math.max(offset, Math.min(from, to - room))
      const sign = getComputedStyle(element).direction === 'rtl' ? -1 : 1
      if (wanted !== offset) element.scrollLeft = sign * wanted
    },
  }
}
