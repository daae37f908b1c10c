import { useEffect } from 'react'
import { createStore, useStore } from './store.ts'

const covers = createStore(0)

/** Covers the page while the component is mounted: what lies beneath is there to be seen, not to be used. */
export function useCover(): void {
  useEffect(() => {
    covers.set(covers.get() + 1)
    return () => covers.set(covers.get() - 1)
  }, [])
}

/** Whether something covers the page; renders again when that changes. */
export function useCovered(): boolean {
  return useStore(covers) > 0
}
