import { type FilePath, isWithin, joinPath, ROOT } from '../../shared/path.ts'

/** Where the paths of one `Files` lie in the served root. */
export interface Base {
  /** The place in the served root of a path. */
  placeOf(path: FilePath): FilePath
  /** The path of a place in the served root; nothing for a place that no path leads to. */
  pathOf(place: FilePath): FilePath | undefined
  /** Folders of other roots to which paths below the scope lead, which its place does not include. */
  readonly elsewhere?: readonly FilePath[]
}

/** The base of paths that all lie below one folder of the served root. */
export const baseAt = (folder: FilePath): Base => ({
  placeOf: path => joinPath(folder, path),
  pathOf: place =>
    isWithin(place, folder)
      ? (((folder === ROOT ? place : place.slice(folder.length)) || ROOT) as FilePath)
      : undefined,
})
