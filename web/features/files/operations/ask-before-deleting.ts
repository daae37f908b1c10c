import { localPreference } from '../../../lib/local-preference.ts'
import { useStore } from '../../../lib/store.ts'

const choice = localPreference('filigree.askBeforeDeleting', ['no', 'yes'], 'no')

/** Whether a deletion that can be undone is confirmed first. */
export const asksBeforeDeleting = (): boolean => choice.store.get() === 'yes'

/** Sets it for this browser. */
export const setAskBeforeDeleting = (ask: boolean): void => choice.choose(ask ? 'yes' : 'no')

export function useAskBeforeDeleting(): boolean {
  return useStore(choice.store) === 'yes'
}
