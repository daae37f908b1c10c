import { localPreference } from '../../lib/local-preference.ts'
import { useMedia } from '../../lib/media.ts'
import { useStore } from '../../lib/store.ts'

/** Whether images and videos have a filmstrip below them in this browser. */
const preference = localPreference('filigree.filmstrip', ['shown', 'hidden'], 'shown')

export interface FilmstripChoice {
  isShown: boolean
  toggle(): void
}

/** The filmstrip below a file of a type; `undefined` where there is no room, or nothing to go to. */
export function useFilmstrip(type: string, count: number): FilmstripChoice | undefined {
  const wanted = useStore(preference.store)
  const hasRoom = useMedia('(min-height: 560px)')
  if (!hasRoom || count < 2 || (type !== 'image' && type !== 'video')) return undefined
  return { isShown: wanted === 'shown', toggle: () => preference.choose(wanted === 'shown' ? 'hidden' : 'shown') }
}
