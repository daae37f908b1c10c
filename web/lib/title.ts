import { useEffect } from 'react'
import { createStore } from './store.ts'

/** What is open, where the address does not name it. */
export const openNameStore = createStore<string | undefined>(undefined)

/** Names what is open in the title of the page, as long as it is shown. */
export function useOpenName(name: string | undefined): void {
  useEffect(() => {
    openNameStore.set(name)
    return () => openNameStore.set(undefined)
  }, [name])
}
