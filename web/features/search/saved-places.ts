import type { SavedSearch } from '../../../shared/api/saved-searches.ts'
import { parsePath, ROOT } from '../../../shared/path.ts'
import type { SearchPlace } from '../../lib/route.ts'

/** The page of a saved search. */
export function placeOf({ query, folder, everywhere, inContents }: Omit<SavedSearch, 'id' | 'name'>): SearchPlace {
  return { query, folder: parsePath(folder), everywhere, inContents }
}

/** Whether a saved search is the one of a page. */
export function isSavedAt(search: SavedSearch, place: SearchPlace): boolean {
  const isEverywhere = (one: SearchPlace) => one.everywhere && one.folder !== ROOT
  const own = placeOf(search)
  return (
    own.query === place.query &&
    own.folder === place.folder &&
    isEverywhere(own) === isEverywhere(place) &&
    own.inContents === place.inContents
  )
}
