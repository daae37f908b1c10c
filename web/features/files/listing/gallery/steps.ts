import { storedPreference } from '../../../../lib/local-preference.ts'
import { useStore } from '../../../../lib/store.ts'

/** Heights of a row of images, in CSS pixels: for windows, and for narrow screens. */
const HEIGHTS = [90, 140, 200, 290, 420]
const NARROW_HEIGHTS = [52, 80, 120, 180, 300]
export const STEPS = HEIGHTS.length
const DEFAULT_STEP = 2

/** The size of images in this browser: an index of the heights. */
const preference = storedPreference('filigree.gallery', parseStep, String)

function parseStep(text: string | null): number {
  const step = Number(text ?? DEFAULT_STEP)
  return Number.isInteger(step) && step >= 0 && step < STEPS ? step : DEFAULT_STEP
}

export const currentStep = preference.store.get

/** Sets it; beyond the ends the smallest or the largest one. */
export const setStep = (step: number): void => preference.choose(Math.max(0, Math.min(STEPS - 1, step)))

export const useStep = (): number => useStore(preference.store)

export const heightOf = (step: number, isNarrow: boolean): number =>
  (isNarrow ? NARROW_HEIGHTS : HEIGHTS)[step] ?? heightOf(DEFAULT_STEP, isNarrow)
