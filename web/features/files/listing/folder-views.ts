import { type FilePath, pathsDownTo } from '../../../../shared/path.ts'
import { VIEW_MODES, type ViewMode } from '../../../../shared/views.ts'
import { storedPreference } from '../../../lib/local-preference.ts'

/** The views chosen in this browser, by id of the user and path of the folder; the last chosen ones at the end. */
export type FolderViews = Readonly<Record<string, ViewMode>>

/** Folders whose views are remembered. */
const MOST = 300

export const folderViews = storedPreference<FolderViews>('filigree.views', parseViews, JSON.stringify)

function parseViews(text: string | null): FolderViews {
  try {
    const stored: Record<string, unknown> = JSON.parse(text ?? '{}')
    return Object.fromEntries(
      Object.entries(stored).flatMap(([key, value]) => {
        const view = VIEW_MODES.find(mode => mode === value)
        return view ? [[key, view]] : []
      }),
    )
  } catch {
    return {}
  }
}

/** The view chosen for a folder, or for the nearest one above it; `undefined` where there is none. */
export function viewFor(views: FolderViews, user: number, folder: FilePath): ViewMode | undefined {
  return pathsDownTo(folder)
    .map(path => views[`${user}${path}`])
    .findLast(view => view !== undefined)
}

/** The same views with one chosen for a folder, and with it for those below that have none of their own. */
export function withView(views: FolderViews, user: number, folder: FilePath, view: ViewMode): FolderViews {
  const key = `${user}${folder}`
  const others = Object.entries(views).filter(([other]) => other !== key)
  return Object.fromEntries([...others, [key, view] as const].slice(-MOST))
}
