import { type RefObject, useLayoutEffect, useState } from 'react'
import { RESIZE_DEBOUNCE } from '../../../shared/limits.ts'

/** Width of an element without its scroll bar, in CSS pixels; debounced. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(innerWidth)
  useLayoutEffect(() => {
    const target = element.current
    if (!target) return
    setWidth(target.clientWidth)
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new ResizeObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(() => setWidth(target.clientWidth), RESIZE_DEBOUNCE)
    })
    observer.observe(target)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [element])
  return width
}
