import { localPreference } from '../../../lib/local-preference.ts'
import { useStore } from '../../../lib/store.ts'

/** Row height on devices with a mouse; touch screens always get more. */
export const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

const choice = localPreference('filigree.density', DENSITIES, 'comfortable')

/** Sets it for this browser. */
export const setDensity = choice.choose

export function useDensity(): Density {
  return useStore(choice.store)
}
