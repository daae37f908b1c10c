import type { FileResource } from '../../../shared/api/resources.ts'
import { localPreference } from '../../lib/local-preference.ts'
import { useWindowClass } from '../../lib/media.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { useStore } from '../../lib/store.ts'

/** Whether viewers show the details of their file. */
const preference = localPreference('filigree.viewerDetails', ['open', 'closed'], 'closed')

/** The details of the open file: next to it, where there is room, else a dialog. */
export interface Info {
  isOpen: boolean
  /** Whether `toggle` opens and closes a panel. */
  isPanel: boolean
  toggle(): void
}

export function useInfo(item: FileResource): Info {
  const wanted = useStore(preference.store)
  const isPanel = useWindowClass() !== 'narrow'
  return {
    isOpen: isPanel && wanted === 'open',
    isPanel,
    toggle: () => {
      if (isPanel) preference.choose(preference.store.get() === 'open' ? 'closed' : 'open')
      else openPrompt('info', { items: [item] })
    },
  }
}
