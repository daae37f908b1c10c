import { useEffect, useState } from 'react'
import type { TallScroll } from '../use-tall-scroll.ts'
import { columnsIn } from './columns.ts'

/** CSS pixels beside the window that are drawn, too. */
const BESIDE = 200

/** The columns in sight. @param numbers width of what stands before the first, in CSS pixels */
export function useColumns({ scroller, width }: TallScroll, starts: Float64Array, numbers: number) {
  const [offset, setOffset] = useState(0)
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    // Negative where columns run from right to left.
    const read = () => setOffset(Math.abs(element.scrollLeft))
    element.addEventListener('scroll', read, { passive: true })
    return () => element.removeEventListener('scroll', read)
  }, [scroller])
  const { first, end } = columnsIn(starts, offset - BESIDE, offset + width + BESIDE)
  return {
    first,
    end,
    /** Brings a column into sight. */
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
