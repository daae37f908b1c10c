import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { createStore } from '../../../lib/store.ts'

/** The dates by which a gallery orders its files: when they were taken, where the server knows it. */
export interface PhotoDates {
  /** The call that answered them: each folder has its own. */
  source: unknown
  /** Milliseconds since the epoch; of files that the gallery does not know, when they were modified. */
  of: (item: Pick<ResourceItem, 'name' | 'modified'>) => number
}

/** Those that the last gallery has learned; its viewer and its folder order their files alike. */
export const photoDatesStore = createStore<PhotoDates | undefined>(undefined)
