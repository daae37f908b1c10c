import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { createStore } from '../../../lib/store.ts'

/** Music that plays or is paused, in its viewer or without one. */
export interface Music {
  /** Its element: in the viewer of the track, else hidden. */
  readonly player: HTMLAudioElement
  readonly track: ResourceItem
  /** The audio files of its folder, in the order of the listing. */
  readonly tracks: readonly ResourceItem[]
}

/** The music of this page; at most one file at a time. */
export const musicStore = createStore<Music | null>(null)
