import { useCallback, useState } from 'react'

/** How near to what is in sight counts for it, so that things are there when they come. */
const NEAR = '200px'

/** Whether an element has been in sight by now, and the `ref` for it. */
export function useSeen(): readonly [seen: boolean, ref: (element: Element | null) => (() => void) | undefined] {
  const [seen, setSeen] = useState(false)
  const ref = useCallback((element: Element | null) => {
    if (!element) return
    const look = (entries: readonly IntersectionObserverEntry[]) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    }
    const observer = new IntersectionObserver(look, { rootMargin: NEAR })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [seen, ref]
}
