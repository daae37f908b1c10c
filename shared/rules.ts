import { type FilePath, isWithin } from './path.ts'

/**
 * Whether the path of a rule covers a path (http-api 16.1): equal, or below at a `/` boundary; an empty rule path covers
 * everything, a relative one nothing.
 */
export function coversPath(rulePath: string, path: FilePath): boolean {
  const folder = folderOf(rulePath)
  return folder === EVERYTHING || (folder.startsWith('/') && isWithin(path, folder as FilePath))
}

/** The folder of a rule that covers every path. */
export const EVERYTHING = ''

/** The folder that the path of a rule names; a relative one is no folder of any path. */
export const folderOf = (rulePath: string): string =>
  rulePath.length > 1 && rulePath.endsWith('/') ? rulePath.slice(0, -1) : rulePath
