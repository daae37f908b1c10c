import { useCallback, useState } from 'react'

/** Margin around the viewport that counts as in view, so that content is loaded ahead of scrolling. */
const NEAR = '200px'

/** Whether an element has been in view, and the `ref` for it. */
export function useInView(): readonly [seen: boolean, ref: (element: Element | null) => (() => void) | undefined] {
  const [seen, setSeen] = useState(false)
  const ref = useCallback((element: Element | null) => {
    if (!element) return
    const onIntersect = (entries: readonly IntersectionObserverEntry[]) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    }
    const observer = new IntersectionObserver(onIntersect, { rootMargin: NEAR })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [seen, ref]
}
