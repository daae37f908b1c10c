import { useEffect } from 'react'
import { createStore, useStore } from './store.ts'

/** How something stands that goes on by itself. */
export interface Activity {
  /** How much is done, between 0 and 1; `undefined` where nobody knows, or nothing runs. */
  share: number | undefined
  /** Whether somebody has to look at it. */
  failed: boolean
  /** Jobs that run or wait for their turn. */
  running?: number
  /** Jobs that wait for their time, which no panel shows before it is called. */
  planned?: number
}

/** What goes on by itself, by the panel that tells of it. */
export type Activities = Readonly<Partial<Record<'uploads' | 'jobs', Activity>>>

const store = createStore<Activities>({})
const calls = createStore(0)

/** What goes on; renders again when it changes. */
export function useActivities(): Activities {
  return useStore(store)
}

/** Tells of something that goes on, as long as the component is mounted. */
export function useActivity(name: keyof Activities, activity: Activity | undefined): void {
  const { share, failed = false, running = 0, planned = 0 } = activity ?? {}
  const there = activity !== undefined
  useEffect(() => {
    store.set({ ...store.get(), ...(there && { [name]: { share, failed, running, planned } }) })
    return () => {
      const { [name]: _gone, ...others } = store.get()
      store.set(others)
    }
  }, [name, there, share, failed, running, planned])
}

/** Has panels of activities opened. */
export function callActivities(): void {
  calls.set(calls.get() + 1)
}

/** Changes with every such call. */
export function useActivityCall(): number {
  return useStore(calls)
}
