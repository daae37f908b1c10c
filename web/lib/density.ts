import { browserChoice } from './local-preference.ts'
import { useStore } from './store.ts'

/** How much room rows have where there is a mouse; fingers always get more. */
export const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

const choice = browserChoice('filigree.density', DENSITIES, 'comfortable')

/** Chooses for this browser. */
export const setDensity = choice.choose

export function useDensity(): Density {
  return useStore(choice.store)
}
