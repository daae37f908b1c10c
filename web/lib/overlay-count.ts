import { useEffect } from 'react'
import { createStore, useStore } from './store.ts'

const overlayCount = createStore(0)

/** Marks the page as covered while the component is mounted: what lies beneath is visible, but inert. */
export function useOverlay(): void {
  useEffect(() => {
    overlayCount.set(overlayCount.get() + 1)
    return () => overlayCount.set(overlayCount.get() - 1)
  }, [])
}

/** Whether an overlay covers the page; re-renders when that changes. */
export function useHasOverlay(): boolean {
  return useStore(overlayCount) > 0
}
