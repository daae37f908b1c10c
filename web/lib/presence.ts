import { createStore } from './store.ts'

/** Ends the question with whether the user has proved to be present. */
type Settle = (proven: boolean) => void

/** The question that is open. */
export const presenceAsked = createStore<Settle | undefined>(undefined)
/** The parts that can show it, the topmost last. */
export const presenceHosts = createStore<readonly string[]>([])

/**
 * Asks the user to prove to be present, for a call that the server refused with `confirm_first` (http-api 46).
 * @returns whether that was proved; false where nothing can ask
 */
export function askPresence(): Promise<boolean> {
  if (presenceHosts.get().length === 0 || presenceAsked.get()) return Promise.resolve(false)
  return new Promise(resolve =>
    presenceAsked.set(proven => {
      presenceAsked.set(undefined)
      resolve(proven)
    }),
  )
}

/** Registers a part that can show the question. @returns the function that takes it back */
export function hostPresence(id: string): () => void {
  presenceHosts.set([...presenceHosts.get(), id])
  return () => {
    const isTop = presenceHosts.get().at(-1) === id
    presenceHosts.set(presenceHosts.get().filter(host => host !== id))
    if (isTop) presenceAsked.get()?.(false)
  }
}

let afterChange: (() => void) | undefined

/** Calls `act` once the server has made the next change of this page. */
export function onceChanged(act: () => void): void {
  afterChange = act
}

/** Says that the server has made a change. */
export function reportChange(): void {
  const act = afterChange
  afterChange = undefined
  act?.()
}
