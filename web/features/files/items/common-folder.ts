import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, isWithin, parentOf, parsePath, ROOT } from '../../../../shared/path.ts'

type Located = Pick<ResourceItem, 'path'>

/** The deepest folder that contains all of these paths; the root for an empty list. */
export function commonFolder(items: readonly Located[]): FilePath {
  const [first = ROOT, ...others] = items.map(({ path }) => parentOf(parsePath(path)))
  return others.reduce((common, other) => {
    let folder = common
    while (!isWithin(other, folder)) folder = parentOf(folder)
    return folder
  }, first)
}

/** The paths relative to a folder that contains all of them. */
export function pathsFrom(folder: string, items: readonly Located[]): string[] {
  const start = folder === ROOT ? ROOT.length : folder.length + 1
  return items.map(({ path }) => path.slice(start))
}
