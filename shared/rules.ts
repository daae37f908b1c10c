import { type FilePath, isWithin } from './path.ts'

/**
 * Whether the path of a rule covers a path (http-api 16.1): equal, or below at a `/` boundary; an empty rule path covers
 * everything, a relative one nothing.
 */
export function coversPath(rulePath: string, path: FilePath): boolean {
  if (rulePath === '') return true
  if (!rulePath.startsWith('/')) return false
  const folder = rulePath.length > 1 && rulePath.endsWith('/') ? rulePath.slice(0, -1) : rulePath
  return isWithin(path, folder as FilePath)
}
