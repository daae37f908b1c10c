import { useEffect } from 'react'
import { createStore, useStore } from './store.ts'

/** The state of a background activity. */
export interface Activity {
  /** Progress between 0 and 1; `undefined` when unknown or idle. */
  share: number | undefined
  /** Whether it needs the user's attention. */
  failed: boolean
  /** Running or queued jobs. */
  running?: number
  /** Scheduled jobs, which no panel shows until it is opened. */
  planned?: number
}

/** Background activities, by the panel that shows them. */
export type Activities = Readonly<Partial<Record<'uploads' | 'jobs', Activity>>>

const store = createStore<Activities>({})
const calls = createStore(0)

/** The activities; re-renders when they change. */
export function useActivities(): Activities {
  return useStore(store)
}

/** Reports an activity while the component is mounted. */
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

/** Opens the panels of activities. */
export function openActivities(): void {
  calls.set(calls.get() + 1)
}

/** Changes with every such call. */
export function useActivitiesRequest(): number {
  return useStore(calls)
}
