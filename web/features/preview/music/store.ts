import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { localPreference } from '../../../lib/local-preference.ts'
import { createStore } from '../../../lib/store.ts'

/** Music that plays or is paused, in its viewer or without one. */
export interface Music {
  /** Its element: in the viewer of the track, else hidden. */
  readonly player: HTMLAudioElement
  readonly track: ResourceItem
  /** The folder or the playlist whose files are played. */
  readonly from: string
  /** Its audio files: in the order of the listing, or of the playlist. */
  readonly tracks: readonly ResourceItem[]
  /** The same in the order in which they are played. */
  readonly queue: readonly ResourceItem[]
}

/** The music of this page; at most one file at a time. */
export const musicStore = createStore<Music | null>(null)

/** Whether tracks are played in a random order. */
export const shuffle = localPreference('filigree.shuffle', ['on', 'off'], 'off')
/** What follows the last track, or each of them. */
export const repeat = localPreference('filigree.repeat', ['off', 'all', 'one'], 'off')
