import { type FilePath, joinPath } from '../../shared/path.ts'

/** Maps a path below one folder to the same path below another. */
export const pathMapper =
  (from: FilePath, to: FilePath) =>
  (path: FilePath): FilePath =>
    joinPath(to, (path.slice(from === '/' ? 0 : from.length) || '/') as FilePath)
