import { type FilePath, parentOf, ROOT } from '../../shared/path.ts'
import { currentRoute, type Route, useRoute } from './router.tsx'

/** The current folder: for a file the one that holds it, outside the files the root. */
function folderOf(route: Route): FilePath {
  if (route.name !== 'files') return ROOT
  return route.folderHint ? route.path : parentOf(route.path)
}

export function currentFolder(): FilePath {
  return folderOf(currentRoute())
}

/** The same; re-renders when it changes. */
export function useCurrentFolder(): FilePath {
  return folderOf(useRoute())
}
