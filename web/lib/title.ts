import { useEffect } from 'react'
import { createStore } from './store.ts'

/** Title of the open item, where the address does not name it. */
export const openNameStore = createStore<string | undefined>(undefined)

/** Shows the open item in the page title while mounted. */
export function useOpenName(name: string | undefined): void {
  useEffect(() => {
    openNameStore.set(name)
    return () => openNameStore.set(undefined)
  }, [name])
}
